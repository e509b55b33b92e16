// Questions of an auditor. Their answers name positions of the log, so the session holds only how many lines they have.

export async function audit(session) {
  const { recorder, owner, ann } = session;
  recorder.chapter('Audit');
  const reason = 'The session asks.';
  const questions = [
    'audits',
    'messages/1',
    'topic?channel=kitchen&topic=general',
    'channel?channel=kitchen',
    'user?user=Ann%20Archer',
    'group?group=role:members',
    'setting?setting=name',
    'permissions',
    'access?channel=kitchen',
    'search?words=ticket9',
  ];
  for (const question of questions) await ann.get(`/audit/${question}`, { reason });
  await owner.patch('/realm', { can_audit_group: { new: { direct_members: [ann.userId], direct_subgroups: [] } } });
  for (const question of questions) await ann.get(`/audit/${question}`, { reason });
  await owner.patch('/realm', { can_audit_group: { new: 8 } });
}

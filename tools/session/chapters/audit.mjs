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
  const asked = { question: 'messages', parameters: { message_id: 1 }, reason };
  await ann.post('/audit/requests', asked);
  await owner.patch('/realm', { audit_needs_approval: true });
  await ann.get('/audit/messages/1', { reason });
  for (const how of ['approve', 'refuse']) {
    const { request_id: id } = await ann.post('/audit/requests', asked);
    await ann.post(`/audit/requests/${id}/${how}`, { reason });
    await owner.post(`/audit/requests/${id}/${how}`, { reason });
  }
  await owner.get('/audit/requests', { reason });
  await owner.patch('/realm', { audit_needs_approval: false });
  await owner.get('/audit/requests', { reason });
  await owner.patch('/realm', { can_audit_group: { new: 8 } });
}

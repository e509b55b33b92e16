import { defineFeature } from '#feature';
import { AuditorGuard } from './access/auditor.guard.js';
import { TellOwners } from './access/tell-owners.js';
import { Answering } from './answering.js';
import { auditCalled } from './calls/audit-call.events.js';
import { AuditCalls } from './calls/audit-calls.js';
import { AuditController } from './http/audit.controller.js';

/** Questions of auditors to the log. Each call is a fact, with its reason. */
export const audit = defineFeature({
  name: 'audit',
  events: [auditCalled],
  decidersOnly: ['audit.called.v1'],
  followUps: { 'organization.settings-changed.v1': TellOwners },
  controllers: [AuditController],
  providers: [Answering, AuditCalls, AuditorGuard],
});

import { defineFeature, readerProvider } from '#feature';
import { ApproverDoor, AuditorDoor, IntendedGuard } from './access/doors.js';
import { TellOwners } from './access/tell-owners.js';
import { Acts } from './acts/acts.js';
import { auditActsCollection, auditActsProjection } from './acts/acts.projection.js';
import { ActsReader } from './acts/acts.reader.js';
import { Answering } from './answering.js';
import { approvalEventTypes } from './approvals/approval.events.js';
import { Approvals } from './approvals/approvals.js';
import { decideCall, requestCall } from './approvals/change-requests.js';
import { auditRequestsCollection, auditRequestsProjection } from './approvals/requests.projection.js';
import { RequestsReader } from './approvals/requests.reader.js';
import { TellApprovers, TellRequester } from './approvals/tell-approvers.js';
import { auditCalled } from './calls/audit-call.events.js';
import { AuditCalls } from './calls/audit-calls.js';
import { ExportCandidates } from './export/export-candidates.js';
import { ExportFiles } from './export/export-files.js';
import { ExportRows } from './export/export-rows.js';
import { AuditController } from './http/audit.controller.js';
import { ExportController } from './http/export.controller.js';
import { RequestsController } from './http/requests.controller.js';
import { MessageEvents } from './messages/message-events.js';
import { MessageStory } from './messages/message-story.js';
import { Changes } from './organization/changes.js';
import { PartsAsOf } from './organization/parts-as-of.js';
import { SettingsOverTime } from './organization/settings-over-time.js';
import { Moments } from './past/moments.js';
import { Named } from './past/named.js';
import { PastDirectory } from './past/past-directory.js';
import { auditPlacesProjection } from './places/audit-places.projection.js';
import { auditPlacesCollection } from './places/place-row.js';
import { PlacesReader } from './places/places.reader.js';
import { Readers } from './readers/readers.js';
import { DeletionsReader } from './search/deletions.reader.js';
import { Search } from './search/search.js';
import {
  auditDeletionsCollection,
  auditDeletionsProjection,
  auditWordingsCollection,
  auditWordingsProjection,
} from './search/wordings.projection.js';
import { WordingsReader } from './search/wordings.reader.js';
import { TopicAsOf } from './topics/topic-as-of.js';

/** Questions of auditors to the log. Each call is a fact, with its reason. */
export const audit = defineFeature({
  name: 'audit',
  events: [auditCalled, ...approvalEventTypes],
  projections: [
    auditActsProjection,
    auditPlacesProjection,
    auditWordingsProjection,
    auditDeletionsProjection,
    auditRequestsProjection,
  ],
  followUps: {
    'organization.settings-changed.v1': TellOwners,
    'audit.call-requested.v1': TellApprovers,
    'audit.call-approved.v1': TellRequester,
    'audit.call-refused.v1': TellRequester,
  },
  commands: [decideCall, requestCall],
  controllers: [AuditController, ExportController, RequestsController],
  providers: [
    Acts,
    Answering,
    Approvals,
    ApproverDoor,
    AuditCalls,
    AuditorDoor,
    Changes,
    IntendedGuard,
    ExportCandidates,
    ExportFiles,
    ExportRows,
    MessageEvents,
    MessageStory,
    Moments,
    Named,
    PartsAsOf,
    PastDirectory,
    Readers,
    SettingsOverTime,
    TopicAsOf,
    Search,
    readerProvider(ActsReader, auditActsCollection),
    readerProvider(RequestsReader, auditRequestsCollection),
    readerProvider(PlacesReader, auditPlacesCollection),
    readerProvider(WordingsReader, auditWordingsCollection),
    readerProvider(DeletionsReader, auditDeletionsCollection),
  ],
});

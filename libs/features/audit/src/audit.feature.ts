import { EventStore } from '#event-store';
import { defineFeature, readerProvider } from '#feature';
import { ApproverDoor, AuditorDoor, IntendedGuard } from './access/doors.js';
import { TellOwners } from './access/tell-owners.js';
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
import { ExportFiles } from './export/export-files.js';
import { AuditController } from './http/audit.controller.js';
import { ExportController } from './http/export.controller.js';
import { RequestsController } from './http/requests.controller.js';
import { Named } from './past/named.js';
import { Moments } from './past/moments.js';
import { KeptDirectory } from './past/past-directory.js';
import { auditPlacesProjection } from './places/audit-places.projection.js';
import { auditPlacesCollection } from './places/place-row.js';
import { PlacesReader } from './places/places.reader.js';
import { Questions } from './questions.js';
import { DeletionsReader } from './search/deletions.reader.js';
import {
  auditDeletionsCollection,
  auditDeletionsProjection,
  auditWordingsCollection,
  auditWordingsProjection,
} from './search/wordings.projection.js';
import { SignInsReader } from './sign-ins/sign-ins.js';
import { auditSignInsCollection, auditSignInsProjection } from './sign-ins/sign-ins.projection.js';
import { WordingsReader } from './search/wordings.reader.js';

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
    auditSignInsProjection,
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
    Answering,
    Approvals,
    ApproverDoor,
    AuditCalls,
    AuditorDoor,
    IntendedGuard,
    KeptDirectory,
    ExportFiles,
    Named,
    Questions,
    // What members see as of a moment ends where answers to auditors do.
    { provide: Moments, inject: [EventStore], useFactory: (store: EventStore) => new Moments(store) },
    readerProvider(ActsReader, auditActsCollection),
    readerProvider(RequestsReader, auditRequestsCollection),
    readerProvider(SignInsReader, auditSignInsCollection),
    readerProvider(PlacesReader, auditPlacesCollection),
    readerProvider(WordingsReader, auditWordingsCollection),
    readerProvider(DeletionsReader, auditDeletionsCollection),
  ],
});

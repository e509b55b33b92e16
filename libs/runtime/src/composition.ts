import { audit } from '#audit';
import { bots } from '#bots';
import { calls } from '#calls';
import { channels } from '#channels';
import { EventRegistry, visitEventTypes } from '#event-store';
import { exporting } from '#export';
import { type Feature, FeatureSet } from '#feature';
import { files } from '#files';
import { followUpEventTypes, openFollowUpsProjection } from '#follow-ups';
import { groups } from '#groups';
import { invitations } from '#invitations';
import { mail } from '#mail';
import { messages } from '#messages';
import { notifications } from '#notifications';
import { operating } from '#operator';
import { Directory } from '#people';
import { past } from '#past';
import { pictures } from '#pictures';
import { plans } from '#plans';
import { preferences } from '#preferences';
import { presence } from '#presence';
import { reading } from '#reading';
import { realm } from '#realm';
import { signIn } from '#sign-in';
import { dueIndexProjection } from '#timers';
import { users } from '#users';
import { uses } from '#uses';
import { webhooks } from '#webhooks';

/** The parts of the server that are made from its list of features, the same in every process. */
export interface Composition {
  readonly features: FeatureSet;
  /** All event types of the server. */
  readonly registry: EventRegistry;
  /** A new directory, with the parts of all features. */
  readonly newDirectory: () => Directory;
  /** Projection of the open follow-ups. */
  readonly openFollowUps: ReturnType<typeof openFollowUpsProjection>;
  /** Index of the timers by their time. */
  readonly dueIndex: ReturnType<typeof dueIndexProjection>;
}

/** @throws Error that names a feature that conflicts with the others */
export function compose(list: readonly Feature[]): Composition {
  const ofEngine = [...followUpEventTypes, ...visitEventTypes];
  const features = new FeatureSet(list, ofEngine);
  return {
    features,
    registry: new EventRegistry([...features.events, ...ofEngine]),
    newDirectory: () => new Directory(features.directory),
    openFollowUps: openFollowUpsProjection(features.followUps),
    dueIndex: dueIndexProjection(features.timers),
  };
}

/** The features of Scrollback: a new one adds its line here. Their register fields are in this order. */
export const FEATURES: readonly Feature[] = [
  // Before those whose events name users.
  users,
  messages,
  reading,
  files,
  realm,
  signIn,
  pictures,
  bots,
  groups,
  channels,
  preferences,
  presence,
  plans,
  notifications,
  invitations,
  mail,
  exporting,
  webhooks,
  calls,
  operating,
  audit,
  past,
  uses,
];

export const scrollback = compose(FEATURES);

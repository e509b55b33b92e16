import type { Provider, Type } from '@nestjs/common';
import type { DirectoryPart } from '#directory';
import type { EventType } from '#event-store';
import type { ClientEvents } from '#feed';
import type { BackgroundWork, Projection } from '#read-store';
import type { FollowUp } from '#follow-ups';
import type { TProperties } from 'typebox';
import type { TimerHandler, TimerSource } from '#timers';
import type { EventSchemas } from '#wire';
import type { RegisterFields } from './register-fields.js';
import type { UseCase } from './use-cases/use-case.js';

/** What an owner, such as a file, has in the blob store after an event; nothing when it is gone. */
export interface OwnedContent {
  /** Unique within the space. */
  readonly owner: string;
  /** SHA-256 of each piece, hexadecimal. */
  readonly hashes: readonly string[];
}

/** Content that events name by its hash, in one space of the blob store (`scrollback verify` looks for it). */
export interface ContentSource {
  readonly space: string;
  /** By event type, whose events alone a handler gets. */
  readonly on: Readonly<Record<string, (event: never) => OwnedContent>>;
}

/** Timers of one kind. */
export interface Timer {
  readonly source: TimerSource;
  readonly handler: Type<TimerHandler>;
}

/** Items for a class that collects them, such as templates for the mailer. */
export interface Addition<Item = unknown> {
  readonly to: Type<{ add(item: Item): void }>;
  readonly items: readonly Type<Item>[];
}

/** Manifest of a feature: everything that it adds to the server (docs/new-feature.md). Its module is made from it. */
export interface Feature {
  readonly name: string;
  /** Types of the events that it records, with their schemas; those of its parts of the directory are among them without being named. */
  readonly events?: readonly EventType[];
  /** What it keeps of the organization in memory. Where several parts handle an event, those of earlier features do first. */
  readonly directory?: readonly DirectoryPart[];
  /** Types of events that deciders, timers and follow-ups alone read, and no projection, client event or directory. */
  readonly decidersOnly?: readonly string[];
  readonly projections?: readonly Projection<object>[];
  /** Handlers that derive client events from events. */
  readonly clientEvents?: readonly Type<ClientEvents>[];
  /** What these client events look like. */
  readonly eventSchemas?: readonly EventSchemas[];
  /** What carries out the follow-ups of events, by their types: work in other streams (ADR 15). */
  readonly followUps?: Readonly<Record<string, Type<FollowUp>>>;
  /** What is due at a time: how events set and clear timers, and what acts on them (ADR 21). */
  readonly timers?: readonly Timer[];
  /** What it does beside the requests, in turns (ADR 30). */
  readonly work?: readonly Type<BackgroundWork>[];
  /** Content in the blob store that its events name. */
  readonly contents?: readonly ContentSource[];
  /** Providers of fields of the register response. */
  readonly register?: readonly Type<RegisterFields>[];
  /** What these fields look like. */
  readonly registerSchemas?: readonly TProperties[];
  /** What it gives to a class of another library that collects such things. */
  readonly additions?: readonly Addition[];
  /** What it changes, each by one function (`command`). */
  readonly commands?: readonly UseCase[];
  /** What can be asked of it (`query`). */
  readonly queries?: readonly UseCase[];
  readonly controllers?: readonly Type[];
  /** What use cases and other providers need: readers (`readerProvider`), and classes that keep something. */
  readonly providers?: readonly Provider[];
}

export function defineFeature(feature: Feature): Feature {
  return Object.freeze(feature);
}

import { type DynamicModule, Module, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { FollowUps } from '#follow-ups';
import { Timers } from '#timers';
import type { Feature } from './feature.js';

/**
 * The Nest module of a feature, made from its manifest. What it provides is there for all features: which of it others may know is
 * said once, by the library's index.ts. Nest names the feature when something is missing.
 */
export function featureModule(feature: Feature): DynamicModule {
  const { name, controllers = [], commands = [], queries = [] } = feature;
  @Module({})
  class FeatureModule {}
  Object.defineProperty(FeatureModule, 'name', { value: name });
  const open = providersOf(feature);
  const handlers = [...commands, ...queries].map(({ handler }) => handler);
  return {
    module: FeatureModule,
    global: true,
    imports: [CqrsModule],
    controllers: [...controllers],
    providers: [...open, ...handlers],
    exports: open,
  };
}

/**
 * Tells follow-ups, timers and collections of additions what each manifest names for them. Nothing adds itself: the manifests alone say what
 * does what. One module does it for all features, since each `ModuleRef` that is asked makes an index of all providers, and keeps it.
 */
export function wiringModule(features: readonly Feature[]): DynamicModule {
  @Module({})
  class WiringModule implements OnModuleInit {
    constructor(
      private readonly modules: ModuleRef,
      private readonly followUps: FollowUps,
      private readonly timers: Timers,
    ) {}

    onModuleInit(): void {
      const instance = <Instance>(type: Type<Instance>): Instance => this.modules.get(type, { strict: false });
      for (const { followUps = {}, timers = [], additions = [] } of features) {
        for (const [cause, type] of Object.entries(followUps)) this.followUps.add(cause, instance(type));
        for (const { source, handler } of timers) this.timers.add(source.kind, instance(handler));
        for (const { to, items } of additions) for (const item of items) instance(to).add(instance(item));
      }
    }
  }
  return { module: WiringModule };
}

/** Each class once, however many parts of the manifest name it. */
function providersOf({
  providers = [],
  clientEvents = [],
  register = [],
  followUps = {},
  timers = [],
  work = [],
  additions = [],
}: Feature): Provider[] {
  const named: readonly Type[] = [
    ...clientEvents,
    ...register,
    ...Object.values(followUps),
    ...timers.map(({ handler }) => handler),
    ...work,
    ...additions.flatMap(({ items }) => items),
  ];
  const provided = new Set(providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)));
  return [...providers, ...new Set(named.filter((type) => !provided.has(type)))];
}

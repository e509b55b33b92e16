import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Feature } from './feature.js';

/**
 * The Nest module of a feature, made from its manifest. What it provides is there for all features: which of it others may know is
 * said once, by the library's index.ts. Nest names the feature when something is missing.
 */
export function featureModule(feature: Feature): DynamicModule | Type {
  const { module, name, controllers = [], commands = [], queries = [] } = feature;
  if (module !== undefined) return module;
  class FeatureModule {}
  Object.defineProperty(FeatureModule, 'name', { value: name });
  Module({})(FeatureModule);
  const open = openProviders(feature);
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

/** Each class once, however many parts of the manifest name it. */
function openProviders({ providers = [], clientEvents = [], register = [] }: Feature): Provider[] {
  return [...new Set<Provider>([...providers, ...clientEvents, ...register])];
}

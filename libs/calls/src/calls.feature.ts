import { defineFeature } from '#feature';
import { CallsModule } from './calls.module.js';

/** Video calls. */
export const calls = defineFeature({ name: 'calls', module: CallsModule });

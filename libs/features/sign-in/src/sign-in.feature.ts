import { defineFeature } from '#feature';
import { SignInModule } from './sign-in.module.js';

/** Signing in. */
export const signIn = defineFeature({
  name: 'sign-in',
  module: SignInModule,
});

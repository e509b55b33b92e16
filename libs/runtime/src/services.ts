import type { Provider } from '@nestjs/common';
import { TemporaryLinks, UploadSettings } from '#files';
import { Clock, ServiceReports } from '#kernel';
import {
  BIG_BLUE_BUTTON,
  Integrations,
  type LoginMethod,
  QuietServer,
  RetentionSwitch,
  UploadLimits,
  ZOOM,
} from '#realm/model';
import { Gravatar } from '#users/model';
import { BigBlueButton, CallServices, MeetingLinks, TokenSeal, Zoom } from '#calls';
import { ExtraEmojiType } from '#pictures/model';
import { externalLoginOf, jwtKeyOf, SignInSettings } from '#sign-in';
import { PasswordCost } from '#users';
import { WebhookSettings } from '#webhooks';
import type { Settings } from './settings/settings.js';

/** What the operator has set up for features to use, as providers. */
export function servicesOf({
  jwtAuth,
  devLogin,
  openId,
  meetings,
  zoom,
  webhooks,
  uploadLimits,
  extraEmojiType,
  uploadSettings,
  gravatar,
  passwordCost,
  secret,
  retention,
  quiet,
}: Settings): readonly Provider[] {
  const jwtKey = jwtAuth === undefined ? undefined : jwtKeyOf(jwtAuth.key, jwtAuth.algorithms);
  const methods: LoginMethod[] = [
    'Email',
    ...(devLogin ? (['Dev'] as const) : []),
    ...(openId === undefined ? [] : (['OpenID Connect'] as const)),
  ];
  return [
    { provide: SignInSettings, useValue: new SignInSettings(jwtKey, openId) },
    { provide: Gravatar, useValue: new Gravatar(gravatar) },
    { provide: PasswordCost, useValue: passwordCost },
    { provide: UploadLimits, useValue: uploadLimits },
    { provide: ExtraEmojiType, useValue: new ExtraEmojiType(extraEmojiType) },
    { provide: QuietServer, useValue: new QuietServer(quiet) },
    { provide: RetentionSwitch, useValue: RetentionSwitch.of(retention, quiet) },
    { provide: UploadSettings, useValue: uploadSettings },
    { provide: TemporaryLinks, inject: [Clock], useFactory: (clock: Clock) => new TemporaryLinks(secret, clock) },
    {
      provide: WebhookSettings,
      useValue: new WebhookSettings(webhooks.hosts, webhooks.networks, webhooks.timeoutSeconds),
    },
    {
      provide: CallServices,
      inject: [ServiceReports],
      useFactory: (reports: ServiceReports) =>
        new CallServices(
          meetings && new BigBlueButton(meetings, reports),
          new MeetingLinks(secret),
          zoom && new Zoom(zoom, reports),
          new TokenSeal(secret),
        ),
    },
    {
      provide: Integrations,
      useValue: new Integrations(
        methods,
        [zoom && ZOOM, meetings && BIG_BLUE_BUTTON].filter((provider) => provider !== undefined),
        openId && externalLoginOf(openId),
      ),
    },
  ];
}

// The worst inputs of an ordinary member for routes about files, pictures, profiles, devices, invitations and signing in.
import sharp from 'sharp';
import { any, json, refused } from './worst-case.mjs';
import { USERS, WORST } from './worst-history.mjs';

/** Gets another API key. */
const LOCKED_OUT = 9_998;
const FIELD = { field_id: 1 };
const DEVICE = { token: 'ab'.repeat(32) };

/** Twelve million pixels that compress badly. */
const picture = () =>
  sharp({ create: { width: 4_000, height: 3_000, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } } })
    .jpeg({ quality: 10 })
    .toBuffer();
const upload = (what, path) =>
  any(what, {}, path).map((one) => ({ ...one, file: { name: 'noise.jpg', bytesOf: picture } }));

export const ACCOUNT_REQUESTS = {
  'POST /api/v1/user_uploads': upload('a picture of twelve million pixels'),
  'GET /api/v1/user_uploads/{realm_id}/{path}': any('unknown', {}, { realm_id: 2, path: 'a/b/c.png' }),
  'GET /api/v1/attachments': any('one'),
  'DELETE /api/v1/attachments/{attachment_id}': any('unknown', {}, { attachment_id: 999 }),
  'POST /api/v1/users/me/avatar': upload('a picture of twelve million pixels'),
  'GET /avatar/{user_id}': any('an uploaded one', {}, { user_id: WORST }),
  'GET /avatar/{user_id}/medium': any('one that is drawn', {}, { user_id: 20 }),
  'DELETE /api/v1/users/me/avatar': any('an uploaded one'),
  'GET /api/v1/realm/icon': any('the icon'),
  'POST /api/v1/realm/icon': upload('not theirs'),
  'DELETE /api/v1/realm/icon': refused(),
  'GET /api/v1/realm/logo': any('the logo', { night: 'false' }),
  'POST /api/v1/realm/logo': upload('not theirs'),
  'DELETE /api/v1/realm/logo': refused({ night: 'false' }),
  'GET /api/v1/realm/emoji': any('none'),
  'POST /api/v1/realm/emoji/{name}': upload('a picture of twelve million pixels', { name: 'noise' }),
  'DELETE /api/v1/realm/emoji/{name}': any('their own', {}, { name: 'noise' }),
  'PATCH /api/v1/users/me/profile_data': any('unknown fields', {
    data: json(Array.from({ length: 500 }, (_, index) => ({ id: index, value: 'x'.repeat(100) }))),
  }),
  'DELETE /api/v1/users/me/profile_data': any('unknown fields', {
    data: json(Array.from({ length: 500 }, (_, id) => id)),
  }),
  'GET /api/v1/realm/profile_fields': any('none'),
  'POST /api/v1/realm/profile_fields': refused({ name: 'x', field_type: 1 }),
  'PATCH /api/v1/realm/profile_fields': refused({ order: json([1]) }),
  'PATCH /api/v1/realm/profile_fields/{field_id}': refused({ name: 'x' }, FIELD),
  'DELETE /api/v1/realm/profile_fields/{field_id}': refused({}, FIELD),
  'GET /api/v1/streams/{stream_id}/email_address': any('one', {}, { stream_id: 1 }),
  'POST /api/v1/users/me/onboarding_steps': any('one', { onboarding_step: 'intro_inbox_view_modal' }),
  'POST /json/fetch_api_key': any('a wrong password', { password: 'x'.repeat(100) }),
  'POST /api/v1/jwt/fetch_api_key': any('no token', { token: 'x'.repeat(10_000) }),
  'POST /api/v1/dev_fetch_api_key': any('switched off', { username: 'user10@bench.test' }),
  'GET /api/v1/session': any('without one'),
  'POST /api/v1/session': any('without the token of a page', {
    username: 'user10@bench.test',
    password: 'x'.repeat(1000),
  }),
  'DELETE /api/v1/session': any('without the token of a page', {}),
  'GET /api/v1/dev_list_users': any('switched off'),
  'POST /api/v1/users/me/api_key/regenerate': any('another key', {}).map((one) => ({ ...one, as: LOCKED_OUT })),
  'POST /json/users/me/api_key/regenerate': any('with a key', {}).map((one) => ({ ...one, as: LOCKED_OUT })),
  'POST /api/v1/users/me/apns_device_token': any('one', { ...DEVICE, appid: 'org.example.app' }),
  'DELETE /api/v1/users/me/apns_device_token': any('one', DEVICE),
  'POST /api/v1/users/me/android_gcm_reg_id': any('one', DEVICE),
  'DELETE /api/v1/users/me/android_gcm_reg_id': any('one', DEVICE),
  'POST /api/v1/users/me/platformpush_device_token': any('one', DEVICE),
  'DELETE /api/v1/users/me/platformpush_device_token': any('one', DEVICE),
  'POST /api/v1/register_client_device': any('one'),
  'POST /api/v1/remove_client_device': any('unknown', { device_id: 1 }),
  'POST /api/v1/mobile_push/register': any('no device', { device_id: 1, bouncer_public_key: 'x' }),
  'POST /api/v1/mobile_push/e2ee/test_notification': any('no device'),
  'POST /api/v1/mobile_push/test_notification': any('no device'),
  'GET /api/v1/invites': any('none'),
  'POST /api/v1/invites': any('a hundred people to a thousand channels', {
    invitee_emails: Array.from({ length: 100 }, (_, index) => `guest${index}@e.test`).join(','),
    stream_ids: json(Array.from({ length: 1_000 }, (_, index) => index + 1)),
    notify_referrer_on_join: 'false',
  }),
  'POST /api/v1/invites/multiuse': any('to a thousand channels', {
    stream_ids: json(Array.from({ length: 1_000 }, (_, index) => index + 1)),
  }),
  'POST /api/v1/invites/{invite_id}/resend': any('one', {}, { invite_id: 1 }),
  'DELETE /api/v1/invites/{invite_id}': any('one', {}, { invite_id: 1 }),
  'DELETE /api/v1/invites/multiuse/{invite_id}': any('one', {}, { invite_id: 1 }),
  'GET /api/v1/export/realm': refused(),
  'POST /api/v1/export/realm': refused({ export_type: 1 }),
  'GET /api/v1/export/realm/consents': refused(),
  'DELETE /api/v1/export/realm/{export_id}': refused({}, { export_id: 1 }),
  'POST /api/v1/calls/zoom/create': any('no account'),
  'GET /api/v1/calls/bigbluebutton/create': any('no server', { meeting_name: 'x'.repeat(1_000) }),
  'GET /api/v1/users/{user_id_or_email}/presence': any('the last', {}, { user_id_or_email: USERS }),
};

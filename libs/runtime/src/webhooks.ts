import { WebhookSettings } from '#webhooks';
import { ValidateBy } from '#validation';
import { complaining, complaintOf } from './settings/complaint.js';

/** Items separated by commas. */
export function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
}

const HOST = /^(?:\*|(?:\*\.)?[a-z0-9][a-z0-9.-]*(?::(\d{1,5}))?|\[[0-9a-f:]+\](?::(\d{1,5}))?)$/;
const PORT_MAX = 65_535;

function isHost(text: string): boolean {
  const parts = HOST.exec(text);
  return parts !== null && Number(parts[1] ?? parts[2] ?? 1) <= PORT_MAX;
}

/** Names or addresses, each alone or with a port; `*.domain`, or `*`. */
export const AreHosts = ValidateBy({
  name: 'areHosts',
  validator: {
    validate: (text: string) => listOf(text).every(isHost),
    defaultMessage: () => '$property: it is a list of hosts, such as hooks.example.org, *.example.org, 10.1.2.3:8080.',
  },
});

/** Networks such as `10.1.0.0/16`. */
export const AreNetworks = complaining('areNetworks', (networks) =>
  complaintOf(() => new WebhookSettings([], listOf(networks), 1)),
);

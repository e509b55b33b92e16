import { WebhookSettings } from '#webhooks';
import { ValidateBy } from '#validation';

/** Items separated by commas. */
export function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
}

function networksComplaint(networks: string): string | undefined {
  try {
    new WebhookSettings([], listOf(networks), 1);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be used.';
  }
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
export const AreNetworks = ValidateBy({
  name: 'areNetworks',
  validator: {
    validate: (text: string) => networksComplaint(text) === undefined,
    defaultMessage: (given) => `$property: ${networksComplaint(String(given?.value))}`,
  },
});

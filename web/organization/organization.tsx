import type { ReactNode } from 'react';
import { useRoute } from '../chat/model/hooks.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { Panes } from '../settings/panes.js';
import { Bots } from './bots.js';
import { Channels } from './channels.js';
import { Domains } from './domains.js';
import { Emoji } from './emoji.js';
import { Groups } from './groups.js';
import { Invitations } from './invitations.js';
import { Linkifiers } from './linkifiers.js';
import { People } from './people.js';
import { Playgrounds } from './playgrounds.js';
import { ProfileFields } from './profile-fields.js';
import { RealmPermissions, RealmSettings } from './realm-settings.js';

type Section = keyof typeof words.organizationSections;

const VIEWS: Readonly<Record<Section, () => ReactNode>> = {
  people: People,
  invitations: Invitations,
  channels: Channels,
  groups: Groups,
  settings: RealmSettings,
  permissions: RealmPermissions,
  bots: Bots,
  emoji: Emoji,
  fields: ProfileFields,
  linkifiers: Linkifiers,
  playgrounds: Playgrounds,
  domains: Domains,
};

/** What administrators need daily. Others see it as well, and why they cannot change it. */
export default function Organization(): ReactNode {
  const { rest } = useRoute() as { readonly rest: readonly string[] };
  const [asked = ''] = rest;
  const current = asked in VIEWS ? (asked as Section) : 'people';
  const View = VIEWS[current];
  return (
    <Panes
      title={words.organizationTitle}
      base="#organization"
      sections={words.organizationSections}
      current={current}
      isWide
    >
      <View />
    </Panes>
  );
}

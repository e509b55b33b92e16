import { type ReactNode, useId, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { realmSettingLabels } from '../shared/en-realm-settings.js';
import { ActButton, widgetClasses } from '../shared/widgets.js';
import { useConfirming } from '../settings/confirming.js';
import { paneClasses as classes, Part } from '../settings/panes.js';
import { emptied, Told, useSaving } from '../settings/saving.js';
import { SwitchField, useChosen } from '../settings/setting-field.js';
import { SwitchPart } from './entries/entry-dialog.js';
import { EntryRow } from './entries/entry-row.js';

interface Domain {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/** Longest that the server takes. */
const DOMAIN_LENGTH_MAX = 80;

/** Domains of e-mail addresses that new people may have, and whether others are refused. */
export function Domains(): ReactNode {
  const { fields } = useModel();
  const domains = (fields.realm_domains ?? []) as readonly Domain[];
  const isOwner = fields.is_owner === true;
  const { phase, run } = useSaving();
  const [ask, confirming] = useConfirming();
  const remove = (domain: string): void =>
    ask({
      title: words.remove,
      text: domains.length === 1 ? words.domainRemoveLastSure(domain) : words.domainRemoveSure(domain),
      act: () => void run(() => call('DELETE', `/realm/domains/${encodeURIComponent(domain)}`)),
    });
  return (
    <>
      <p className={classes['hint']}>{words.domainsHint}</p>
      <SwitchField
        label={realmSettingLabels.emails_restricted_to_domains}
        value={fields.realm_emails_restricted_to_domains === true}
        because={isOwner ? undefined : words.onlyOwners}
        save={(next) => call('PATCH', '/realm', { emails_restricted_to_domains: next })}
      />
      {domains.length === 0 && <p className={classes['row']}>{words.domainsNone}</p>}
      <ul>
        {domains.map((one) => (
          <EntryRow key={one.domain} name={one.domain} onRemove={isOwner ? () => remove(one.domain) : undefined}>
            {one.domain} <Subdomains domain={one} isOwner={isOwner} />
          </EntryRow>
        ))}
      </ul>
      <Told phase={phase} />
      {isOwner && <NewDomain />}
      {confirming}
    </>
  );
}

function Subdomains({ domain: one, isOwner }: { readonly domain: Domain; readonly isOwner: boolean }): ReactNode {
  const { domain, allow_subdomains: isAllowed } = one;
  const { phase, choose, shown } = useChosen(isAllowed, (next) =>
    call('PATCH', `/realm/domains/${encodeURIComponent(domain)}`, { allow_subdomains: next }),
  );
  return (
    <label className={classes['check']}>
      <input
        type="checkbox"
        checked={shown}
        disabled={!isOwner}
        aria-label={words.withSubdomainsOf(domain)}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      <span aria-hidden="true">{words.withSubdomains}</span>
      {phase.kind === 'refused' && <Told phase={phase} />}
    </label>
  );
}

function NewDomain(): ReactNode {
  const { phase, run } = useSaving();
  const [domain, setDomain] = useState('');
  const [hasSubdomains, setSubdomains] = useState(false);
  const id = useId();
  return (
    <Part title={words.domainNew}>
      <form
        className={classes['inline']}
        onSubmit={(event) => {
          event.preventDefault();
          const params = { domain: domain.trim(), allow_subdomains: hasSubdomains };
          void run(() => call('POST', '/realm/domains', params)).then((isDone) => {
            if (isDone) setDomain(emptied(domain));
          });
        }}
      >
        <label className={widgetClasses['field']}>
          {words.domain}
          <input
            className={widgetClasses['input']}
            value={domain}
            required
            maxLength={DOMAIN_LENGTH_MAX}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={phase.kind === 'refused'}
            aria-describedby={id}
            onChange={(event) => setDomain(event.currentTarget.value)}
          />
        </label>
        <SwitchPart label={words.withSubdomains} value={hasSubdomains} set={setSubdomains} />
        <ActButton kind="button" isOff={phase.kind === 'saving'}>
          {words.domainAdd}
        </ActButton>
      </form>
      <Told id={id} phase={phase} />
    </Part>
  );
}

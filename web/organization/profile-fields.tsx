import { type ReactNode, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { useConfirming } from '../settings/confirming.js';
import { type ProfileField, profileFieldsIn } from '../settings/profile-fields.js';
import { useSaving } from '../settings/saving.js';
import { EntryList } from './entries/entry-list.js';
import { EntryRow } from './entries/entry-row.js';
import { useOrder } from './entries/use-order.js';
import { ProfileFieldDialog } from './profile-field-dialog.js';

/** What the organization asks of people's profiles, in the order in which profiles show it. */
export function ProfileFields(): ReactNode {
  const { fields } = useModel();
  const isAdministrator = fields.is_admin === true;
  const { phase, run } = useSaving();
  const [ask, confirming] = useConfirming();
  const [open, setOpen] = useState<ProfileField | 'new'>();
  const [inOrder, moveOf] = useOrder(profileFieldsIn(fields), run, (order) =>
    call('PATCH', '/realm/profile_fields', { order }),
  );
  const remove = ({ id, name }: ProfileField): void =>
    ask({
      title: words.remove,
      text: words.fieldRemoveSure(name),
      act: () => void run(() => call('DELETE', `/realm/profile_fields/${id}`)),
    });
  return (
    <>
      <EntryList
        hint={words.fieldsHint}
        none={words.fieldsNone}
        isOrdered
        phase={phase}
        addLabel={words.fieldNew}
        onAdd={() => setOpen('new')}
      >
        {inOrder.map((one) => (
          <EntryRow
            key={one.id}
            name={one.name}
            detail={detailOf(one)}
            move={isAdministrator ? moveOf(one.id) : undefined}
            onChange={isAdministrator ? () => setOpen(one) : undefined}
            onRemove={isAdministrator ? () => remove(one) : undefined}
          />
        ))}
      </EntryList>
      {open !== undefined && <ProfileFieldDialog field={open} close={() => setOpen(undefined)} />}
      {confirming}
    </>
  );
}

function detailOf({ type, hint, ...field }: ProfileField): string {
  return [
    words.fieldTypes[type],
    field.required ? words.fieldIsRequired : '',
    field.editable_by_user ? '' : words.fieldIsFixed,
    field.display_in_profile_summary === true ? words.fieldIsInSummary : '',
    hint,
  ]
    .filter(Boolean)
    .join(' · ');
}

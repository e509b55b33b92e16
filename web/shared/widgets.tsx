/** Small parts that every view uses. Menus and dialogs are the browser's own (`popover`, `<dialog>`). */
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { reconnection } from './api.js';
import { Icon, type IconName } from './icons.js';
import classes from './widgets.module.css';
import { words } from './words.js';

export { classes as widgetClasses };

/**
 * A button that may be off for a while. It keeps the focus then, which `disabled` would take from it, and a form is not sent by it.
 * @param props.onClick without it the button sends its form
 */
export function ActButton(props: {
  readonly children: ReactNode;
  readonly isOff: boolean;
  readonly kind?: 'primary' | 'button' | 'item';
  readonly onClick?: () => void;
  readonly autoFocus?: boolean;
}): ReactNode {
  const { children, isOff, kind = 'primary', onClick, autoFocus } = props;
  return (
    <button
      type={onClick === undefined ? 'submit' : 'button'}
      className={classes[kind]}
      autoFocus={autoFocus}
      aria-disabled={isOff}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}

/** @param props.label what it does, for all who do not see the icon, and as a tooltip */
export function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick?: () => void;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly tabIndex?: number;
  readonly size?: number;
}): ReactNode {
  const { icon, label, onClick, pressed, disabled, tabIndex, size = 18 } = props;
  return (
    <button
      type="button"
      className={classes['icon']}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-disabled={disabled}
      tabIndex={tabIndex}
      onClick={disabled === true ? undefined : onClick}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}

/** A picture, or the initials where there is none, or none that can be fetched: that is tried again after each reconnection. */
export function Avatar(props: {
  readonly url: string | null | undefined;
  readonly name: string;
  readonly size?: number;
}): ReactNode {
  const { url, name, size = 32 } = props;
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    if (failed === undefined) return undefined;
    const again = (): void => setFailed(undefined);
    reconnection.addEventListener('live', again);
    return () => reconnection.removeEventListener('live', again);
  }, [failed]);
  // The name stands beside it.
  if (url === null || url === undefined || url === failed)
    return (
      <span
        className={classes['initials']}
        style={{ inlineSize: size, blockSize: size, fontSize: size * 0.4 }}
        aria-hidden="true"
      >
        {initialsOf(name)}
      </span>
    );
  return (
    <img
      className={classes['avatar']}
      src={url}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      onError={() => setFailed(url)}
    />
  );
}

/** First letters of the first and the last word. */
function initialsOf(name: string): string {
  const letters = [...name.matchAll(/(?<![\p{L}\p{N}\p{M}'’-])[\p{L}\p{N}]\p{M}*/gu)].map(([letter]) => letter);
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toUpperCase();
}

export function Square({ color }: { readonly color: string }): ReactNode {
  return <span className={classes['square']} style={{ background: color }} />;
}

export function Badge(props: {
  readonly count: number;
  readonly isMention?: boolean;
  readonly label: string;
}): ReactNode {
  const { count, isMention = false, label } = props;
  if (count === 0) return null;
  return (
    <span className={classes['badge']} data-kind={isMention ? 'mention' : 'unread'}>
      <span aria-hidden="true">{count > 999 ? '999+' : words.number(count)}</span>
      <span className="aloud">{label}</span>
    </span>
  );
}

/** When what stands for loading content changes, in ms after the beginning: a line, and that it takes long. */
const LOADING_STEPS_MS = [300, 5_000];

/** What stands where content is loading: nothing at first, then a line, which says at last that it takes long. */
export function Loading({ text = words.loading }: { readonly text?: string }): ReactNode {
  const [step, setStep] = useState(0);
  useEffect(() => {
    const timers = LOADING_STEPS_MS.map((ms, index) => setTimeout(() => setStep(index + 1), ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <p role="status" className={classes['note']}>
      {[' ', text, `${text} ${words.takesLong}`][step]}
    </p>
  );
}

/** Opens over the page, with the focus where `autoFocus` is, or on the first part; it goes back to where it was. */
export function Dialog(props: {
  readonly title: string;
  readonly children: ReactNode;
  /** Without it the dialog cannot be closed by the reader. */
  readonly onClose?: () => void;
  /** For long texts. */
  readonly isWide?: boolean;
}): ReactNode {
  const { title, children, onClose, isWide = false } = props;
  const id = useId();
  const isFromOutside = useRef(false);
  return (
    <dialog
      className={classes['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      data-wide={isWide}
      onPointerDown={(event) => {
        isFromOutside.current = isOutside(event);
      }}
      onClick={(event) => {
        // Whoever selects text may let go outside; and what is typed into a form is not lost by a press beside it.
        if (isFromOutside.current && isOutside(event) && event.currentTarget.querySelector('form') === null)
          onClose?.();
      }}
    >
      <Title id={id} text={title} />
      {children}
    </dialog>
  );
}

/** Whether a press on a dialog is beside its box. */
function isOutside({ currentTarget, clientX: x, clientY: y }: React.MouseEvent): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

/**
 * Opens the dialog that it begins. Effects run in the order of the parts, so the dialog is open before React focuses what has
 * `autoFocus` behind its title; in a closed one nothing takes the focus.
 */
function Title({ id, text }: { readonly id: string; readonly text: string }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const dialog = heading.current?.closest('dialog');
    dialog?.showModal();
    // `close()` restores focus; a modal dialog makes everything else inert.
    return () => dialog?.close();
  }, []);
  return (
    <h2 ref={heading} id={id} style={{ marginBlockEnd: 16, fontSize: 18, lineHeight: '26px' }}>
      {text}
    </h2>
  );
}

/** The buttons at the end of a dialog. */
export function Buttons(props: {
  readonly onCancel: () => void;
  readonly cancel: string;
  readonly act?: string;
  readonly onAct?: () => void;
}): ReactNode {
  const { onCancel, cancel, act, onAct } = props;
  return (
    <p style={{ display: 'flex', justifyContent: 'flex-end', gap: 8, marginBlockStart: 20 }}>
      <button type="button" className={classes['button']} onClick={onCancel}>
        {cancel}
      </button>
      {act !== undefined && (
        <button type="button" className={classes['primary']} onClick={onAct}>
          {act}
        </button>
      )}
    </p>
  );
}

/** Says where the reader is why something was not done; nothing without a reason. */
export function Problem({ reason }: { readonly reason: string | undefined }): ReactNode {
  if (reason === undefined) return null;
  return (
    <p role="alert" className={classes['error']}>
      {reason}
    </p>
  );
}

/** Says why something was not done. */
export function Refusal({ reason, close }: { readonly reason: string; readonly close: () => void }): ReactNode {
  return (
    <Dialog title={words.refused} onClose={close}>
      <p role="alert">{reason}</p>
      <Buttons onCancel={close} cancel={words.close} />
    </Dialog>
  );
}

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly act: () => void;
  readonly isDangerous?: boolean;
}

const MENU_GAP_PX = 4;

/** A button that opens a menu below it, or above where there is no room. */
export function MenuButton(props: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon?: IconName;
  readonly tabIndex?: number;
  readonly children?: ReactNode;
  readonly onToggle?: (isOpen: boolean) => void;
}): ReactNode {
  const { label, items, icon = 'more', tabIndex, children, onToggle } = props;
  const [opener, menu] = [useRef<HTMLButtonElement>(null), useRef<HTMLDivElement>(null)];
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const place = (): void => {
    const [from, box] = [opener.current?.getBoundingClientRect(), menu.current?.getBoundingClientRect()];
    if (from === undefined || box === undefined || menu.current === null) return;
    const fitsBelow = from.bottom + MENU_GAP_PX + box.height <= innerHeight;
    const top = fitsBelow ? from.bottom + MENU_GAP_PX : Math.max(MENU_GAP_PX, from.top - MENU_GAP_PX - box.height);
    // Its end is below the end of the button.
    const wanted = document.documentElement.dir === 'rtl' ? from.left : from.right - box.width;
    const left = Math.min(Math.max(MENU_GAP_PX, wanted), innerWidth - box.width - MENU_GAP_PX);
    Object.assign(menu.current.style, { top: `${top}px`, left: `${left}px` });
    menu.current.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  };
  // Once its items are there, of which its height is made.
  useLayoutEffect(() => {
    if (isOpen) place();
  }, [isOpen]);
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Tab') menu.current?.hidePopover();
    // It closes the menu, and nothing that the menu stands in.
    if (event.key === 'Escape') event.stopPropagation();
    if (next === undefined) return;
    event.preventDefault();
    all[next % all.length]?.focus();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={children === undefined ? classes['icon'] : undefined}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        tabIndex={tabIndex}
      >
        {children ?? <Icon name={icon} size={18} />}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={classes['menu']}
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setOpen(opened);
          onToggle?.(opened);
        }}
      >
        {isOpen &&
          items.map(({ label: name, icon: sign, act, isDangerous = false }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={classes['item']}
              data-danger={isDangerous}
              onClick={() => {
                menu.current?.hidePopover();
                act();
              }}
            >
              <Icon name={sign} />
              {name}
            </button>
          ))}
      </div>
    </>
  );
}

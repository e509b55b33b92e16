import { lazy, type ReactNode, useEffect, useState } from 'react';
import { Lazily, Opening } from '../shared/lazily.js';
import { Icon, type IconName } from '../shared/icons.js';
import { setClock } from '../shared/time.js';
import { Avatar, Badge, Loading, MenuButton } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { Announcer, Foot } from './announcer.js';
import { Conversation } from './conversation.js';
import { GoTo } from './go-to.js';
import { Inbox } from './inbox.js';
import { focusMain, keepFocus } from './focus-main.js';
import { useKeys } from './keys.js';
import { leave } from './leave.js';
import { mayAsk } from './notifier.js';
import { useChat, useChatState, useRoute } from './model/hooks.js';
import type { Connection } from './model/chat-state.js';
import { operandIn, type Route } from './model/narrow.js';
import { PlacesList } from './places-list.js';
import classes from './shell.module.css';
import { Updates } from './updates.js';
import { unreadCounts } from './unread-counts.js';

const THEMES: Readonly<Record<number, string>> = { 2: 'dark', 3: 'light' };

/** Clients of other makers know the compact form by this size and smaller ones. */
const COMPACT_FONT_SIZE_PX = 14;

/** The page of somebody who is signed in. */
export function Shell(): ReactNode {
  const [state, route] = [useChatState(), useRoute()];
  const [open, setOpen] = useState<'go-to' | 'keys'>();
  const { settings, realmName } = state;
  useEffect(keepFocus, []);
  useKeys({ goTo: () => setOpen('go-to'), help: () => setOpen('keys'), isOff: open !== undefined });
  useEffect(() => {
    document.documentElement.dataset['theme'] = THEMES[settings.color_scheme] ?? 'device';
    document.documentElement.dataset['density'] =
      settings.web_font_size_px <= COMPACT_FONT_SIZE_PX ? 'compact' : 'comfortable';
    setClock(settings.twenty_four_hour_time);
  }, [settings.color_scheme, settings.web_font_size_px, settings.twenty_four_hour_time]);
  const { total } = unreadCounts(state);
  useEffect(() => {
    document.title = total > 0 ? `(${words.number(total)}) ${realmName}` : realmName;
  }, [total, realmName]);
  const isPlaces = route.view === 'channels';
  return (
    <div className={classes['shell']} data-pane={isPlaces ? 'places' : 'main'}>
      <a className={classes['skip']} href="#main" onClick={skipToMain}>
        {words.skip}
      </a>
      <Bar openGoTo={() => setOpen('go-to')} openKeys={() => setOpen('keys')} />
      <nav className={classes['places']} aria-label={words.navigation}>
        <PlacesList />
      </nav>
      <main className={classes['main']} id="main" tabIndex={-1}>
        {isPlaces && <h1 className={classes['placesTitle']}>{words.channels}</h1>}
        <Connected connection={state.connection} />
        <Updates className={classes['banner']} />
        <Pane route={route} />
      </main>
      <Tabs openGoTo={() => setOpen('go-to')} />
      {open === 'go-to' && <GoTo onClose={() => setOpen(undefined)} />}
      {open === 'keys' && (
        <Lazily fallback={<Opening />}>
          <Keys onClose={() => setOpen(undefined)} />
        </Lazily>
      )}
      <Announcer />
    </div>
  );
}

/** What loads when it is opened. */
const Keys = lazy(() => import('./keys-dialog.js'));
const StatusDialog = lazy(() => import('./people/status-dialog.js'));
const Browse = lazy(() => import('../organization/browse.js'));
const Recent = lazy(() => import('./recent.js'));
const DraftsView = lazy(() => import('./drafts-view.js'));
const PeoplePage = lazy(() => import('../organization/person.js'));
const OwnSettings = lazy(() => import('../settings/own-settings.js'));
const Organization = lazy(() => import('../organization/organization.js'));

const Since = lazy(() => import('../past/since-view.js'));
const Past = lazy(() => import('../past/past-view.js'));

function Pane({ route }: { readonly route: Route }): ReactNode {
  if (route.view === 'narrow' && route.asOf !== undefined)
    return (
      <Lazily fallback={<Loading />}>
        <Past terms={route.terms} asOf={route.asOf} />
      </Lazily>
    );
  if (route.view === 'narrow') return <Conversation terms={route.terms} near={route.near} />;
  return (
    <>
      <Lazily key={route.view} fallback={<Loading />}>
        <View view={route.view} />
      </Lazily>
      <Foot />
    </>
  );
}

function View({ view }: { readonly view: Exclude<Route['view'], 'narrow'> }): ReactNode {
  switch (view) {
    case 'browse':
      return <Browse />;
    case 'recent':
      return <Recent />;
    case 'since':
      return <Since />;
    case 'drafts':
      return <DraftsView />;
    case 'people':
      return <PeoplePage />;
    case 'settings':
      return <OwnSettings />;
    case 'organization':
      return <Organization />;
    default:
      return <Inbox />;
  }
}

function skipToMain(event: React.MouseEvent): void {
  event.preventDefault();
  focusMain();
}

function Bar({ openGoTo, openKeys }: { readonly openGoTo: () => void; readonly openKeys: () => void }): ReactNode {
  const { realmName, connection, people, meId } = useChatState();
  const [isStatus, setStatus] = useState(false);
  const me = people.get(meId);
  return (
    <header className={classes['bar']}>
      <div className={classes['name']}>
        <span>{realmName}</span>
      </div>
      <button type="button" className={classes['goTo']} onClick={openGoTo}>
        <Icon name="search" />
        {words.goTo}
        <kbd>Ctrl K</kbd>
      </button>
      <div className={classes['state']}>
        <span className={classes['connection']} role="status">
          <span className={classes['dot']} data-kind={connection.kind} />
          {words[connection.kind]}
        </span>
        <MenuButton
          label={words.signedInAs(me?.full_name ?? '')}
          items={[
            ...(mayAsk()
              ? [
                  {
                    label: words.notificationsOn,
                    icon: 'bell',
                    act: () => void Notification.requestPermission(),
                  } as const,
                ]
              : []),
            { label: words.setStatus, icon: 'smile', act: () => setStatus(true) },
            { label: words.settingsTitle, icon: 'settings', act: () => (location.hash = '#settings') },
            { label: words.organizationTitle, icon: 'people', act: () => (location.hash = '#organization') },
            { label: words.keys, icon: 'help', act: openKeys },
            { label: words.signOut, icon: 'out', act: leave },
          ]}
        >
          <Avatar url={me?.avatar_url} name={me?.full_name ?? ''} size={28} />
        </MenuButton>
        {isStatus && (
          <Lazily fallback={<Opening />}>
            <StatusDialog onClose={() => setStatus(false)} />
          </Lazily>
        )}
      </div>
    </header>
  );
}

/** What is wrong with the connection, and what to do. Nothing while all is well. */
function Connected({ connection }: { readonly connection: Connection }): ReactNode {
  const chat = useChat();
  const [nowMs, setNowMs] = useState(Date.now());
  const isOffline = connection.kind === 'offline';
  useEffect(() => {
    if (!isOffline) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOffline]);
  if (connection.kind !== 'offline') return null;
  const { outcome } = connection;
  return (
    <div className={classes['banner']}>
      {/* The seconds would be read out, each of them. */}
      <span role="status">
        {words.offlineLong[outcome.kind](outcome.kind === 'refused' ? outcome.message : '')}
        {!chat.isConfirmed && ` ${words.offlineKept}`}
      </span>
      <span>{words.retryIn(Math.max(0, Math.round((connection.untilMs - nowMs) / 1000)))}</span>
      <button type="button" onClick={chat.hurry}>
        {words.retryNow}
      </button>
    </div>
  );
}

/** On a phone. */
function Tabs({ openGoTo }: { readonly openGoTo: () => void }): ReactNode {
  const [state, route] = [useChatState(), useRoute()];
  const { view } = route;
  const { total, mentions } = unreadCounts(state);
  return (
    <nav className={classes['tabs']} aria-label={words.menu}>
      <Tab icon="inbox" text={words.inbox} hash="#inbox" isCurrent={view === 'inbox'} count={total} />
      <Tab icon="hash" text={words.channels} hash="#channels" isCurrent={view === 'channels'} />
      <Tab icon="at" text={words.mentions} hash="#narrow/is/mentioned" isCurrent={isMentions(route)} count={mentions} />
      <button type="button" className={classes['tab']} onClick={openGoTo}>
        <Icon name="search" size={20} />
        <span>{words.search}</span>
      </button>
    </nav>
  );
}

const isMentions = (route: Route): boolean =>
  route.view === 'narrow' && route.terms.length === 1 && operandIn(route.terms, 'is') === 'mentioned';

function Tab(props: {
  readonly icon: IconName;
  readonly text: string;
  readonly hash: string;
  readonly isCurrent: boolean;
  readonly count?: number;
}): ReactNode {
  const { icon, text, hash, isCurrent, count = 0 } = props;
  return (
    <a className={classes['tab']} href={hash} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} size={20} />
      <span>{text}</span>
      <Badge count={count} label={words.unread(count)} />
    </a>
  );
}

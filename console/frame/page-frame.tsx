import { useEffect, useRef, useState } from 'preact/hooks';
import { type Address, goTo, useAddress } from '../address/address.ts';
import { useConnectionLostAt, useReconnectCount } from '../api/connection.ts';
import { undoNewest } from '../decisions/decide.ts';
import { DecisionNotices } from '../decisions/decision-notices.tsx';
import { returnToVersion } from '../decisions/return-to-version.ts';
import { useEventPolling } from '../decisions/use-event-polling.ts';
import { useSendOnLeave } from '../decisions/use-send-on-leave.ts';
import { loadOnDemand, makeLazy } from '../parts/lazy.tsx';
import { revealHidden } from '../parts/reveal-hidden.ts';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Time } from '../parts/time.tsx';
import { restoreSession, useSession } from '../session/session.ts';
import { SignInButton, SignInDialog } from '../session/sign-in-dialog.tsx';
import { useRefreshAfterAcceptance } from '../state/acceptance-changes.ts';
import { useAnnouncement } from '../state/announcements.ts';
import { usePageActive } from '../state/page-activity.ts';
import { useSettings } from '../state/settings.ts';
import { findView, firstView, views } from '../views/views.ts';
import { ApproveAllNotice } from './approve-all-notice.tsx';
import { FreezeNotice } from './freeze-notice.tsx';
import { HeldRecordsNotice } from './held-records-notice.tsx';
import { OpenedView } from './opened-view.tsx';
import { type QueueCounts, useQueueCounts } from './queue-counts.ts';
import { SignedInUser } from './signed-in-user.tsx';
import { ThemeButton } from './theme.tsx';

const ShortcutHelp = makeLazy('ShortcutHelp', { takesKeys: true });

interface NavigationProps {
  readonly view: string;
  readonly counts: QueueCounts;
  /** True if the token of the user has a label, by which the registry lists its submissions. */
  readonly hasSubmissions: boolean;
}

const Navigation = ({ view, counts, hasSubmissions }: NavigationProps) => {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On phones, the links are one line that scrolls.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [view]);
  return (
    <nav aria-label="Views" ref={nav}>
      {Object.entries(views).flatMap(([name, { title, count, isListed }]) =>
        isListed || (name === 'submissions' && hasSubmissions) ? (
          <a key={name} href={`#/${name}`} aria-current={name === view ? 'page' : undefined}>
            {title}
            {count && <span class="count">{counts[count]}</span>}
          </a>
        ) : (
          []
        ),
      )}
    </nav>
  );
};

/** Says that updates are paused, or that the registry does not answer. */
const ConnectionNotice = () => {
  const since = useConnectionLostAt();
  const isPageActive = usePageActive();
  if (!isPageActive) {
    return (
      <p class="connection-notice" role="status">
        Updates are paused, because this page was not used for a while. Move the pointer or press a
        key to continue.
      </p>
    );
  }
  if (since === null) return null;
  return (
    <p class="connection-notice" role="status">
      The registry cannot be reached. The connection was lost{' '}
      <Time at={new Date(since).toISOString()} />. This page may be out of date. The console tries
      again within a minute.
    </p>
  );
};

const appTitle = 'Package registry';

const maxNameLength = 100;

/** Returns the title of the window. The package comes first, because tabs show the beginning alone. */
const toWindowTitle = (viewTitle: string | undefined, { id }: Address): string => {
  const opened =
    id && `${revealHidden(id.name).slice(0, maxNameLength)} ${revealHidden(id.version)}`;
  return [opened, viewTitle, appTitle].filter((part) => part !== undefined).join(' · ');
};

/** Says that the session has ended, and offers to sign in. Open forms stay as they are. */
const SessionEndNotice = () => {
  const { isEnded, refusal } = useSession();
  if (!isEnded) return null;
  return (
    <p class="session-end" role="alert">
      <span>Your session has ended. {refusal?.status !== null && refusal?.detail}</span>{' '}
      <SignInButton class="primary">Sign in</SignInButton>
    </p>
  );
};

/** Restores the session after a reconnect, if the registry did not answer before. */
const useSessionRetry = (): void => {
  const { refusal } = useSession();
  const returns = useReconnectCount();
  useEffect(() => {
    if (refusal?.status === null) restoreSession();
  }, [returns]);
};

/** Shows the number of pending versions in the icon of the tab. */
const useFavicon = ({ pending }: QueueCounts): void => {
  useEffect(() => {
    if (pending === '') return;
    loadOnDemand('showInFavicon').then(
      (show) => show(Number(pending.replaceAll(',', ''))),
      // The icon shows nothing that the page does not show.
      () => undefined,
    );
  }, [pending]);
};

/** The page around each view: navigation, notices, dialogs. */
export const PageFrame = () => {
  const address = useAddress();
  const { api, caller } = useSession();
  const counts = useQueueCounts();
  useFavicon(counts);
  const announcement = useAnnouncement();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useEventPolling(api);
  useRefreshAfterAcceptance();
  useSessionRetry();
  const view = address.view === '' ? firstView : address.view;
  useShortcuts({
    '?': () => setHelpOpen(true),
    u: () => {
      const undone = undoNewest();
      if (undone) returnToVersion(undone);
    },
  });
  useSendOnLeave(view);
  const { keys } = useSettings();
  useEffect(() => {
    document.documentElement.dataset['keys'] = keys ? 'on' : 'off';
  }, [keys]);
  const title = findView(view)?.title;
  const windowTitle = toWindowTitle(title, address);
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
  useEffect(() => {
    if (address.view === '') goTo({ view: firstView }, { replace: true });
  }, [address.view]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class="frame-bar">
        <a class="frame-name" href={`#/${firstView}`}>
          registry
        </a>
        <Navigation view={view} counts={counts} hasSubmissions={caller?.label != null} />
        <div class="frame-end">
          <SignedInUser />
          <button
            type="button"
            class="plain key-button"
            aria-label="Keyboard shortcuts and settings"
            title="Keyboard shortcuts and settings"
            onClick={() => setHelpOpen(true)}
          >
            <span aria-hidden="true">?</span>
          </button>
          <ThemeButton />
        </div>
      </header>
      <SessionEndNotice />
      <FreezeNotice />
      <HeldRecordsNotice />
      <ApproveAllNotice />
      <main class="frame-main" ref={main} tabIndex={-1}>
        <h1 class="visually-hidden">{title ?? appTitle}</h1>
        <OpenedView key={view} address={{ ...address, view }} />
      </main>
      <div class="notices">
        <ConnectionNotice />
        <DecisionNotices />
        <p class="announcement" role="status">
          {announcement}
        </p>
      </div>
      <SignInDialog />
      {isHelpOpen && <ShortcutHelp close={() => setHelpOpen(false)} />}
    </>
  );
};

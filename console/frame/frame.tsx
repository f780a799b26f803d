import { useEffect, useRef, useState } from 'preact/hooks';
import { type Address, goTo, useAddress } from '../address/address.ts';
import { useReturns, useSilence } from '../api/silence.ts';
import { undoNewest } from '../decisions/decide.ts';
import { DecisionNotices } from '../decisions/notices.tsx';
import { showAgain } from '../decisions/show-again.ts';
import { useLeaving } from '../decisions/use-leaving.ts';
import { useKeys } from '../parts/keys.ts';
import { showHidden } from '../parts/show-hidden.ts';
import { Time } from '../parts/time.tsx';
import { resumeSession, useSession } from '../session/session.ts';
import { SignInButton, SignInDialog } from '../session/sign-in-dialog.tsx';
import { findView, firstView, views } from '../views/views.ts';
import { useAnnouncement } from './announcements.ts';
import { type Counts, useCounts } from './counts.ts';
import { useHappenings } from './happenings.ts';
import { KeyHelp } from './key-help.tsx';
import { OpenedView } from './opened-view.tsx';
import { useSettings } from './settings.ts';
import { useListsThatFollow } from './spreading.ts';
import { ThemeButton } from './theme.tsx';
import { useWatched } from './watching.ts';
import { Who } from './who.tsx';

const Navigation = ({ view, counts }: { readonly view: string; readonly counts: Counts }) => (
  <nav aria-label="Views">
    {Object.entries(views).flatMap(([name, { title, count, isListed }]) =>
      isListed ? (
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

const Silence = () => {
  const since = useSilence();
  const isWatched = useWatched();
  if (!isWatched) {
    return (
      <p class="silence" role="status">
        Nobody used this page for a while, so that it follows no changes. Move the pointer or press
        a key, and it goes on.
      </p>
    );
  }
  if (since === null) return null;
  return (
    <p class="silence" role="status">
      The registry cannot be reached, since <Time at={new Date(since).toISOString()} />. What you
      see may have changed; it is asked again within a minute.
    </p>
  );
};

const appTitle = 'Package registry';

const mostOfName = 100;

/** Returns the title of a window: the package first, since tabs show the beginning alone. */
const nameWindow = (viewTitle: string | undefined, { id }: Address): string => {
  const opened = id && `${showHidden(id.name).slice(0, mostOfName)} ${showHidden(id.version)}`;
  return [opened, viewTitle, appTitle].filter((part) => part !== undefined).join(' · ');
};

/** Says that the session has ended, and offers to sign in: what is on the screen, and typed, stays. */
const SessionEnd = () => {
  const { isEnded, refusal } = useSession();
  if (!isEnded) return null;
  return (
    <p class="session-end" role="alert">
      <span>Your session has ended. {refusal?.status !== null && refusal?.detail}</span>{' '}
      <SignInButton class="primary">Sign in</SignInButton>
    </p>
  );
};

/** Finds out who is signed in once the registry can be reached, where it could not before. */
const useResumedSession = (): void => {
  const { refusal } = useSession();
  const returns = useReturns();
  useEffect(() => {
    if (refusal?.status === null) resumeSession();
  }, [returns]);
};

/** What stands around every view. */
export const Frame = () => {
  const address = useAddress();
  const { api } = useSession();
  const counts = useCounts();
  const announcement = useAnnouncement();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useHappenings(api);
  useListsThatFollow();
  useResumedSession();
  const view = address.view === '' ? firstView : address.view;
  useKeys({
    '?': () => setHelpOpen(true),
    u: () => {
      const undone = undoNewest();
      if (undone) showAgain(undone);
    },
  });
  useLeaving(view);
  const { keys } = useSettings();
  useEffect(() => {
    document.documentElement.dataset['keys'] = keys ? 'on' : 'off';
  }, [keys]);
  const title = findView(view)?.title;
  const windowTitle = nameWindow(title, address);
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
  useEffect(() => {
    if (address.view === '') goTo({ view: firstView }, { replace: true });
  }, [address.view]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="frame-bar">
        <a class="frame-name" href={`#/${firstView}`}>
          registry
        </a>
        <Navigation view={view} counts={counts} />
        <div class="frame-end">
          <Who />
          <button
            type="button"
            class="plain key-button"
            aria-label="Show the keys and settings"
            title="Keys and settings"
            onClick={() => setHelpOpen(true)}
          >
            <span aria-hidden="true">?</span>
          </button>
          <ThemeButton />
        </div>
      </header>
      <SessionEnd />
      <main class="frame-main" ref={main} tabIndex={-1}>
        <h1 class="heard">{title ?? appTitle}</h1>
        <OpenedView key={view} address={{ ...address, view }} />
      </main>
      <div class="notices">
        <Silence />
        <DecisionNotices />
        <p class="announcement" role="status">
          {announcement}
        </p>
      </div>
      <SignInDialog />
      {isHelpOpen && <KeyHelp close={() => setHelpOpen(false)} />}
    </>
  );
};

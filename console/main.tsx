import { render } from 'preact';
import { PageFrame } from './frame/page-frame.tsx';
import { applyStoredTheme } from './frame/theme.tsx';
import { setOnDemandImport } from './parts/lazy.tsx';
import { restoreSession, setAccountsImport } from './session/session.ts';
import { startActivityTracking } from './state/page-activity.ts';

setOnDemandImport(() => import('./on-demand.ts'));
setAccountsImport(() => import('./session/accounts.ts'));
applyStoredTheme();
startActivityTracking();
restoreSession();

const root = document.getElementById('console');
if (root) {
  root.replaceChildren();
  render(<PageFrame />, root);
}

/** A view to look at, and how to open it. */
interface ShownView {
  readonly hash: string;
  /** The selector of the loaded view, and a text in it. */
  readonly sign: string;
  readonly text: string;
  /** The key or click that opens it after the package has loaded. */
  readonly keys?: readonly string[];
  readonly click?: string;
  /** Whether the whole view scrolls, instead of its parts. */
  readonly isLong?: true;
}

const acceptRisk = '.vulnerability button.plain';
const leftPad = '#/packages/npm/left-pad/1.3.0';
/** A name that is longer than any list is wide. */
export const longName = 'long-name-'.repeat(20);

/** Views whose parts scroll together. */
const isLong = true;

/** Every view, in each of its states: one a line. */
export const shownViews: readonly ShownView[] = [
  { hash: '#/queue', sign: '.decision-summary', text: 'Submitted' },
  { hash: '#/queue?search=zzz', sign: '.empty', text: 'No results' },
  { hash: '#/queue', sign: '.bulk-bar', text: 'Reject', keys: ['X', 'r'] },
  { hash: '#/queue', sign: '.decision-form', text: 'all versions without issues', keys: ['A'] },
  { hash: '#/queue', sign: '.keys', text: 'Close', keys: ['?'] },
  { hash: '#/queue?issue=scan_failed&severity=high', sign: '.chip', text: 'vulnerabilities' },
  { hash: '#/submissions', sign: '.decision-summary', text: 'Submitted' },
  { hash: '#/license?name=MIT', sign: '.page', text: 'License text', isLong },
  { hash: '#/batches', sign: '.empty', text: 'There is no batch', isLong },
  { hash: '#/attention', sign: '.decision-summary', text: 'approved' },
  { hash: '#/attention?search=zzz', sign: '.empty', text: 'No results' },
  { hash: '#/packages', sign: '.decision-summary', text: 'Submitted' },
  { hash: leftPad, sign: '.history', text: 'submitted' },
  { hash: leftPad, sign: '.decision-form', text: 'Reject', keys: ['r'] },
  { hash: leftPad, sign: '.decision-form', text: 'Expires on', click: acceptRisk },
  { hash: leftPad, sign: 'details[open]', text: 'Found by', click: '.vulnerability summary' },
  { hash: `#/packages/npm/${longName}/1.0.0`, sign: '.history', text: 'submitted' },
  { hash: '#/packages/npm/nowhere/1.3.0', sign: '[role=alert]', text: 'nowhere' },
  { hash: '#/overview', sign: '.charts', text: 'Submitted', isLong },
  { hash: '#/overview?days=365', sign: '.card', text: 'No approval has an expiry date', isLong },
  { hash: '#/activity?type=expired', sign: '.activity', text: 'No events in', isLong },
  { hash: '#/activity?type=by-people', sign: '.activity .rows', text: 'failing', isLong },
  { hash: '#/projects', sign: '.projects .rows', text: 'shop', isLong },
  { hash: '#/projects?project=shop', sign: '.projects .rows', text: 'transitive', isLong },
  { hash: '#/vulnerability?id=CVE-2022-1', sign: '.page .rows', text: 'left-pad', isLong },
  {
    hash: '#/vulnerability?id=CVE-1999-1',
    sign: '.empty',
    text: 'No version has this vulnerability',
  },
  { hash: '#/expirations', sign: '.page', text: 'No approval has an expiry date', isLong },
  { hash: '#/incidents', sign: '.page', text: 'No version was recalled', isLong },
  { hash: '#/check', sign: '.drop', text: 'Drop lockfiles', isLong },
  { hash: '#/sign-in', sign: '.sheet', text: 'You are signed in' },
  { hash: '#/nowhere', sign: '.empty', text: 'This page does not exist' },
];

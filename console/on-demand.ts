// One script for all that a click or a link opens: small views, forms and dialogs. In scripts of their own, the parts that
// they share would become many small files, which the first view loads, too.
export { ApproveAllProgress } from './decisions/approve-all-progress.tsx';
export { AcceptanceForm } from './evidence/acceptance-form.tsx';
export { EndAcceptanceForm } from './evidence/end-acceptance-form.tsx';
export { FurtherSections } from './evidence/further-sections.tsx';
export { Recall } from './evidence/recall.tsx';
export { showInFavicon } from './frame/favicon.ts';
export { ShortcutHelp } from './frame/shortcut-help.tsx';
export { TokenForm } from './session/token-form.tsx';
export { Activity } from './views/activity/activity.tsx';
export { Batches } from './views/batches/batches.tsx';
export { Expirations } from './views/expirations/expirations.tsx';
export { Incidents } from './views/incidents/incidents.tsx';
export { License } from './views/license/license.tsx';
export { ApproveAllForm } from './views/packages/approve-all-form.tsx';
export { BatchSummary } from './views/packages/batch-summary.tsx';
export { BulkForm } from './views/packages/bulk-form.tsx';
export { EmptyList } from './views/packages/empty-list.tsx';
export { Projects } from './views/projects/projects.tsx';
export { SignIn } from './views/sign-in/sign-in.tsx';
export { Vulnerability } from './views/vulnerability/vulnerability.tsx';

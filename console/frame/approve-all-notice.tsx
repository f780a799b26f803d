import { useApproveAll } from '../decisions/approve-all.ts';
import { makeLazy } from '../parts/lazy.tsx';

const ApproveAllProgress = makeLazy('ApproveAllProgress');

/** The progress of an approval of all versions without issues, on every view. Its script loads with the first run. */
export const ApproveAllNotice = () =>
  useApproveAll() !== null && (
    <section class="run-notice" aria-label="Approval of all versions without issues">
      <ApproveAllProgress />
    </section>
  );

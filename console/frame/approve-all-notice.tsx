import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApproveAll } from '../decisions/approve-all.ts';

/** The progress of an approval of all versions without issues, on every view. Its script loads with the first run. */
export const ApproveAllNotice = () => {
  const hasRun = useApproveAll() !== null;
  const [loaded, setLoaded] = useState<{ readonly Progress: ComponentType }>();
  useEffect(() => {
    if (!hasRun) return;
    import('../decisions/approve-all-progress.tsx').then(
      ({ ApproveAllProgress: Progress }) => setLoaded({ Progress }),
      // A reload of the page continues the run.
      () => undefined,
    );
  }, [hasRun]);
  if (!hasRun) return null;
  return (
    <section class="run-notice" aria-label="Approval of all versions without issues">
      {loaded ? <loaded.Progress /> : 'Loading …'}
    </section>
  );
};

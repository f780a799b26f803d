import type { Deadline } from '../../../shared/deadline.ts';
import { defaultScanPolicy, toScanResult } from '../../../shared/domain/scans/scan-result.ts';
import { decidePackage } from '../../../shared/review/decide-package.ts';
import type { ReviewContext } from '../../../shared/review/review-context.ts';
import { submitPackage } from '../../../shared/review/submit-package.ts';
import { defaultLayout } from '../../../shared/store/catalogue/layout.ts';
import { keepScan } from '../../../shared/store/scans/scans.ts';
import { type DemoPackage, demoPackages, demoScans } from './data.ts';

/**
 * Loads the demo data through the same code that the functions run, and prints how many versions there are. A
 * program of its own, started with the tables' names and an endpoint in its environment, as a function would be.
 */

const hourMs = 60 * 60 * 1000;

const deadline: Deadline = { remainingMs: () => 10_000 };

const contextAt = (now: Date): ReviewContext => ({
  actor: { label: 'demo', fingerprint: null },
  now,
  catalogue: { layout: defaultLayout, shard: 0 },
  deadline,
  remember: () => [],
});

/** One submission an hour, the last an hour ago; decisions half an hour later. */
const loadPackage = async ({ submission, decision }: DemoPackage, age: number): Promise<void> => {
  const submittedAt = Date.now() - age * hourMs;
  await submitPackage(submission, contextAt(new Date(submittedAt)));
  if (!decision) return;
  const { to, by, reason } = decision;
  await decidePackage(
    submission,
    { to, by, reason },
    contextAt(new Date(submittedAt + hourMs / 2)),
  );
};

const loadScans = async (): Promise<void> => {
  for (const { id, tools, vulnerabilities } of demoScans) {
    const scan = { tools, findings: vulnerabilities };
    const result = toScanResult(id, scan, { policy: defaultScanPolicy, now: new Date() });
    await keepScan(id, result, { deadline });
  }
};

for (const [at, demoPackage] of demoPackages.entries()) {
  await loadPackage(demoPackage, demoPackages.length - at);
}
await loadScans();
console.log(demoPackages.length);

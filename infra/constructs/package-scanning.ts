import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';
import type { RegistryQueues } from './registry-queues.ts';
import { WorkerSchedule } from './worker-schedule.ts';

interface PackageScanningProps {
  readonly queues: RegistryQueues;
  /** The function that scans submitted versions. */
  readonly scanner: RegistryFunction;
  /** The function that rescans approved versions. */
  readonly rescanner: RegistryFunction;
}

/** Has workers scan each submitted version, and rescan approved versions on a schedule. */
export class PackageScanning extends Construct {
  constructor(scope: Construct, id: string, { queues, scanner, rescanner }: PackageScanningProps) {
    super(scope, id);
    queues.addConsumer('scan', scanner);
    new WorkerSchedule(this, 'Schedule', {
      worker: rescanner,
      every: Duration.minutes(15),
      task: 'that rescans approved versions',
    });
  }
}

import { Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard as CdkDashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { dueKinds } from '../../shared/domain/review/due-kind.ts';
import type { LogMetrics } from './log-metrics.ts';
import type { RegistryQueues } from './registry-queues.ts';
import type { RestApi } from './rest-api.ts';

interface DashboardProps {
  readonly stackName: string;
  readonly api: RestApi;
  readonly logs: LogMetrics;
  readonly queues: RegistryQueues;
  /** The tables by their ids. */
  readonly tables: Readonly<Record<string, ITableV2>>;
}

const period = Duration.minutes(5);
const labelled = (label: string) => ({ label, period });

/** The widths of graphs, in grid units. Two graphs of the usual width fill a row, or three narrow ones. */
const width = 12;
const narrow = { width: 8 };

/** The CloudWatch dashboard of the registry: requests, latency, errors, queues, scans, delays, recalls, failed runs of workers and capacity units. */
export class Dashboard extends Construct {
  private readonly props: DashboardProps;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    this.props = props;
    const dashboard = new CdkDashboard(this, 'Dashboard', {
      // The dashboards of all regions of an account share their names.
      dashboardName: `${props.stackName}-${Stack.of(this).region}`,
      defaultInterval: Duration.days(1),
    });
    dashboard.addWidgets(this.graphRequests(), this.graphAnswerTimes());
    dashboard.addWidgets(this.graphRefusals(), this.graphQueues());
    dashboard.addWidgets(this.graphScans(), this.graphDelays());
    dashboard.addWidgets(this.graphRecalls(), this.graphRecallDelay(), this.graphWorkerFaults());
    dashboard.addWidgets(this.graphUnits('Read'), this.graphUnits('Write'));
  }

  private graphRequests(): GraphWidget {
    const { api } = this.props;
    const statistic = Stats.SUM;
    return graph('Requests', [
      api.requests({ ...labelled('all'), statistic }),
      api.clientErrors({ ...labelled('client errors (4xx)'), statistic }),
      api.serverErrors({ ...labelled('server errors (5xx)'), statistic }),
    ]);
  }

  private graphAnswerTimes(): GraphWidget {
    const { api } = this.props;
    return graph('Latency (ms)', [
      api.latency({ ...labelled('p50'), statistic: Stats.p(50) }),
      api.latency({ ...labelled('p99'), statistic: Stats.p(99) }),
    ]);
  }

  private graphRefusals(): GraphWidget {
    return graph('Errors by code', [this.props.logs.allProblems()], { stacked: true });
  }

  private graphQueues(): GraphWidget {
    const statistic = Stats.MAXIMUM;
    const metrics = this.props.queues.all.flatMap(([id, { queue, deadLetters }]) => [
      queue.metricApproximateNumberOfMessagesVisible({ ...labelled(`${id}: waiting`), statistic }),
      deadLetters.metricApproximateNumberOfMessagesVisible({
        ...labelled(`${id}: dead letters`),
        statistic,
      }),
    ]);
    return graph('Queues (versions)', metrics);
  }

  private graphScans(): GraphWidget {
    const { logs } = this.props;
    const { scanned, failed } = logs.rescans();
    return graph('Scans', [
      scanned.with({ label: 'approved versions rescanned' }),
      failed.with({ label: 'scan errors' }),
      logs.attentionNeeded().with({ label: 'approved versions whose scans newly failed' }),
    ]);
  }

  private graphDelays(): GraphWidget {
    const { logs } = this.props;
    return graph('Delay (s)', [
      ...dueKinds.map((kind) => logs.dueWorkDelay(kind).with({ label: `due work: ${kind}` })),
      logs.rescanDelay().with({ label: 'rescan of all approved versions' }),
    ]);
  }

  private graphRecalls(): GraphWidget {
    const { logs } = this.props;
    const metrics = [
      logs.recallEvents('Recalled').with({ label: 'approved versions recalled' }),
      logs.recallEvents('RecallsHeld').with({ label: 'recalls left to people' }),
    ];
    return graph('Recalls', metrics, narrow);
  }

  private graphRecallDelay(): GraphWidget {
    const delay = this.props.logs.recallDelay().with({ label: 'from the signal to the recall' });
    return graph('Recall delay (min)', [delay], narrow);
  }

  private graphWorkerFaults(): GraphWidget {
    const faults = this.props.logs.workerFaults().with({ label: 'log lines of failed runs' });
    return graph('Worker faults', [faults], narrow);
  }

  /** Graphs the capacity units that AWS charges, by table and for each 5 minutes. */
  private graphUnits(kind: 'Read' | 'Write'): GraphWidget {
    const metrics = Object.entries(this.props.tables).map(([id, table]) =>
      table.metric(`Consumed${kind}CapacityUnits`, { ...labelled(id), statistic: Stats.SUM }),
    );
    return graph(`${kind} units`, metrics, { stacked: true });
  }
}

const graph = (title: string, left: IMetric[], props: Partial<GraphWidgetProps> = {}) =>
  new GraphWidget({ title, left, width, leftYAxis: { min: 0, showUnits: false }, ...props });

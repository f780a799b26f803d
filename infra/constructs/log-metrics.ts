import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  FilterPattern,
  type IFilterPattern,
  type JsonPattern,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ProblemCode } from '../../shared/domain/errors.ts';
import type { DueKind } from '../../shared/domain/review/due-kind.ts';
import type { SharedLog } from './shared-log.ts';
import { workerFault } from './worker-faults.ts';

/** Returns the filter pattern for log lines of one event type. */
const isEvent = (name: string): JsonPattern => FilterPattern.stringValue('$.event', '=', name);

/** Problems of authentication: the name of the metric, and the event type of its log line. */
const tokenEvents = {
  TokenListNotLoaded: 'token_list_not_loaded',
  AuthenticationOff: 'authentication_off',
} as const;

/** The event of an issuer whose keys cannot be loaded. */
const issuerEvent = 'issuer_keys_not_loaded';

/** Counts of a rescan: the name of the metric, and the field of the log line. */
const rescanCounts = { Rescanned: 'scanned', RescansFailed: 'failed' } as const;

/** Events of recalls: the name of the metric, and the event type of its log line. */
const recallEvents = { Recalled: 'package_recalled', RecallsHeld: 'recall_held' } as const;

interface LogMetricsProps {
  readonly namespace: string;
  readonly period: Duration;
  /** The log of the functions that answer requests. */
  readonly endpointsLog: SharedLog;
  /** The log of the workers. */
  readonly workersLog: SharedLog;
}

/** Metric filters over the logs, and the metrics that they make. */
export class LogMetrics {
  private readonly scope: Construct;
  private readonly props: LogMetricsProps;

  /** Adds the metric filters to `scope`. */
  constructor(scope: Construct, props: LogMetricsProps) {
    this.scope = scope;
    this.props = props;
    this.countProblems();
    for (const [metricName, event] of Object.entries(tokenEvents)) {
      this.addFilter(props.endpointsLog, { metricName, filterPattern: isEvent(event) });
    }
    this.addFilter(props.workersLog, { metricName: 'WorkerFaults', filterPattern: workerFault });
    const dueWorkDelay = {
      metricName: 'DueWorkDelay',
      filterPattern: isEvent('due_work'),
      metricValue: '$.late_seconds',
    };
    this.addFilter(props.workersLog, dueWorkDelay);
    this.addFilter(props.workersLog, {
      ...dueWorkDelay,
      id: 'CountDueWorkByKind',
      dimensions: { Kind: '$.kind' },
    });
    this.addFilter(props.workersLog, {
      metricName: 'RescanDelay',
      filterPattern: isEvent('rescan'),
      metricValue: '$.late_seconds',
    });
    for (const [metricName, field] of Object.entries(rescanCounts)) {
      this.addFilter(props.workersLog, {
        metricName,
        filterPattern: isEvent('rescan'),
        metricValue: `$.${field}`,
      });
    }
    this.addFilter(props.endpointsLog, {
      metricName: 'ItemsFailed',
      filterPattern: isEvent('item_failed'),
    });
    const attention = { metricName: 'AttentionNeeded', filterPattern: isEvent('attention_needed') };
    this.addFilter(props.workersLog, attention);
    for (const [metricName, event] of Object.entries(recallEvents)) {
      this.addFilter(props.workersLog, { metricName, filterPattern: isEvent(event) });
    }
    this.addFilter(props.workersLog, {
      metricName: 'IntegrityProblems',
      filterPattern: isEvent('integrity_checked'),
      metricValue: '$.problems',
    });
    this.addFilter(props.endpointsLog, { ...attention, id: 'CountUploadedAttention' });
    const recallDelay = { metricName: 'RecallDelay', metricValue: '$.minutes' };
    this.addFilter(props.workersLog, {
      ...recallDelay,
      filterPattern: isEvent(recallEvents.Recalled),
    });
    this.addFilter(props.workersLog, {
      ...{ ...recallDelay, id: 'CountRecallsWaiting' },
      filterPattern: isEvent('recalls_waiting'),
    });
  }

  /** Returns the number of error responses with this code. */
  problems(code: ProblemCode): Metric {
    return this.toMetric('Problems', { statistic: Stats.SUM, dimensionsMap: { Code: code } });
  }

  /** Returns the number of failed items in bulk requests that succeeded as a whole. */
  itemsFailed(): Metric {
    return this.toMetric('ItemsFailed', { statistic: Stats.SUM });
  }

  /** Returns the number of failed attempts to load the keys of an issuer, and adds their metric filter. */
  issuerFailures(): Metric {
    const metricName = 'IssuerKeysNotLoaded';
    this.addFilter(this.props.endpointsLog, { metricName, filterPattern: isEvent(issuerEvent) });
    return this.toMetric(metricName, { statistic: Stats.SUM });
  }

  /** Returns the number of log lines about one problem of the token list. */
  tokenEvents(name: keyof typeof tokenEvents): Metric {
    return this.toMetric(name, { statistic: Stats.SUM });
  }

  /** Returns the number of error responses, with one line of a graph for each code. */
  allProblems(): MathExpression {
    const { namespace, period } = this.props;
    const search = `{"${namespace}",Code} MetricName="Problems"`;
    return new MathExpression({
      expression: `SEARCH('${search}', '${Stats.SUM}', ${period.toSeconds()})`,
      label: '',
      usingMetrics: {},
      period,
    });
  }

  /** Returns the numbers of approved versions that were rescanned, and of those whose rescan failed. */
  rescans(): { readonly scanned: Metric; readonly failed: Metric } {
    const statistic = Stats.SUM;
    return {
      scanned: this.toMetric('Rescanned', { statistic }),
      failed: this.toMetric('RescansFailed', { statistic }),
    };
  }

  /** Returns the number of log lines of failed runs of workers. */
  workerFaults(): Metric {
    return this.toMetric('WorkerFaults', { statistic: Stats.SUM });
  }

  /** Returns the longest delay of due work in seconds, for one kind of work or for all. */
  dueWorkDelay(kind?: DueKind): Metric {
    return this.toMetric('DueWorkDelay', {
      statistic: Stats.MAXIMUM,
      ...(kind && { dimensionsMap: { Kind: kind } }),
    });
  }

  /** Returns the longest delay of the current rescan of all approved versions, in seconds. */
  rescanDelay(): Metric {
    return this.toMetric('RescanDelay', { statistic: Stats.MAXIMUM });
  }

  /** Returns the number of approved versions that newly need attention. */
  attentionNeeded(): Metric {
    return this.toMetric('AttentionNeeded', { statistic: Stats.SUM });
  }

  /** Returns the number of problems that the scheduled integrity check found. */
  integrityProblems(): Metric {
    return this.toMetric('IntegrityProblems', { statistic: Stats.SUM });
  }

  /** Returns the number of events of recalls. */
  recallEvents(name: keyof typeof recallEvents): Metric {
    return this.toMetric(name, { statistic: Stats.SUM });
  }

  /** Returns the longest delay of a recall since its signal, in minutes. Records that wait for a retry count, too. */
  recallDelay(): Metric {
    return this.toMetric('RecallDelay', { statistic: Stats.MAXIMUM });
  }

  private countProblems(): void {
    this.addFilter(this.props.endpointsLog, {
      metricName: 'Problems',
      filterPattern: FilterPattern.all(isEvent('request'), FilterPattern.exists('$.code')),
      dimensions: { Code: '$.code' },
    });
  }

  private addFilter(
    { group }: SharedLog,
    {
      id,
      ...filter
    }: {
      /** The construct id, where another filter has the same metric name. */
      readonly id?: string;
      readonly metricName: string;
      readonly filterPattern: IFilterPattern;
      readonly metricValue?: string;
      readonly dimensions?: Record<string, string>;
    },
  ): void {
    new MetricFilter(this.scope, id ?? `Count${filter.metricName}`, {
      logGroup: group,
      metricNamespace: this.props.namespace,
      ...filter,
    });
  }

  private toMetric(
    metricName: string,
    options: { readonly statistic: string; readonly dimensionsMap?: Record<string, string> },
  ): Metric {
    const { namespace, period } = this.props;
    return new Metric({ namespace, metricName, period, ...options });
  }
}

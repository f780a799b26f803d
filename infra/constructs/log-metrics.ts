import type { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ProblemCode } from '../../shared/domain/errors.ts';
import type { DueKind } from '../../shared/domain/review/due-kind.ts';
import type { SharedLog } from './shared-log.ts';

/** A line of the log about one kind of event. */
const isEvent = (name: string): JsonPattern => FilterPattern.stringValue('$.event', '=', name);

/** What is wrong with the token list, by the name of its metric and of the line that tells of it. */
const tokenEvents = {
  TokenListNotLoaded: 'token_list_not_loaded',
  AuthenticationOff: 'authentication_off',
} as const;

/** What a run of the worker counts, by the name of its metric and of the field in its line. */
const rescanCounts = { Rescanned: 'scanned', RescansFailed: 'failed' } as const;

interface LogMetricsProps {
  readonly namespace: string;
  readonly period: Duration;
  /** Where the functions log that answer requests. */
  readonly endpointsLog: SharedLog;
  /** Where the functions log that nobody waits for. */
  readonly workersLog: SharedLog;
}

/** What the logs are read for, each under the name that its alarm watches. */
export class LogMetrics {
  private readonly scope: Construct;
  private readonly props: LogMetricsProps;

  /** The filters stand in `scope`. */
  constructor(scope: Construct, props: LogMetricsProps) {
    this.scope = scope;
    this.props = props;
    this.countProblems();
    for (const [metricName, event] of Object.entries(tokenEvents)) {
      this.addFilter(props.endpointsLog, { metricName, filterPattern: isEvent(event) });
    }
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
    this.addFilter(props.endpointsLog, { ...attention, id: 'CountUploadedAttention' });
  }

  /** How many requests were refused with this code. */
  problems(code: ProblemCode): Metric {
    return this.toMetric('Problems', { statistic: Stats.SUM, dimensionsMap: { Code: code } });
  }

  /** How many items failed of requests that were answered. */
  itemsFailed(): Metric {
    return this.toMetric('ItemsFailed', { statistic: Stats.SUM });
  }

  /** How often something was wrong with the token list. */
  tokenEvents(name: keyof typeof tokenEvents): Metric {
    return this.toMetric(name, { statistic: Stats.SUM });
  }

  /** How many requests were refused, a line for each code. */
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

  /** How many approved versions were scanned again, and how many could not be. */
  rescans(): { readonly scanned: Metric; readonly failed: Metric } {
    const statistic = Stats.SUM;
    return {
      scanned: this.toMetric('Rescanned', { statistic }),
      failed: this.toMetric('RescansFailed', { statistic }),
    };
  }

  /** Returns by how many seconds due work was late, at the worst: of one kind, or of all where none is given. */
  dueWorkDelay(kind?: DueKind): Metric {
    return this.toMetric('DueWorkDelay', {
      statistic: Stats.MAXIMUM,
      ...(kind && { dimensionsMap: { Kind: kind } }),
    });
  }

  /** By how many seconds the round of rescans under way is late, at the worst. */
  rescanDelay(): Metric {
    return this.toMetric('RescanDelay', { statistic: Stats.MAXIMUM });
  }

  /** How many approved versions turned out to need attention. */
  attentionNeeded(): Metric {
    return this.toMetric('AttentionNeeded', { statistic: Stats.SUM });
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
      /** Where another filter counts for a metric of the same name. */
      readonly id?: string;
      readonly metricName: string;
      readonly filterPattern: JsonPattern;
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

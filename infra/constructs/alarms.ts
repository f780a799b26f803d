import type { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { AlarmChannel } from './alarm-channel.ts';

export interface AlarmRule {
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  readonly evaluationPeriods?: number;
  /** Whether the alarm goes off below the threshold, and for missing data. */
  readonly below?: boolean;
}

/** Adds an alarm that notifies the topics of the channel. */
export const addAlarm = (
  scope: Construct,
  id: string,
  { rule, channel }: { rule: AlarmRule; channel: AlarmChannel },
): void => {
  const { description, evaluationPeriods = 1, below = false, metric, threshold } = rule;
  const alarm = new Alarm(scope, id, {
    alarmDescription: description,
    metric,
    threshold,
    evaluationPeriods,
    comparisonOperator: below
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
  channel.addActions(alarm);
};

/** Returns the sum of several counts. Missing data counts as zero. */
export const sumMetrics = (
  metrics: readonly Metric[],
  { label, period }: { label: string; period: Duration },
): MathExpression => {
  const named = metrics.map((metric, at) => [`m${at}`, metric] as const);
  return new MathExpression({
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    label,
    period,
  });
};

/** Reads EventBridge rules with a schedule. */
import * as z from 'zod';
import { parseJson } from '../json.ts';
import type { Resource } from './assembly.ts';
import { findFunction } from './functions.ts';
import { permits, readPermissions } from './invoke-permissions.ts';
import type { LambdaFunction, Schedule, ScheduleTarget } from './model.ts';
import { ruleArn } from './names.ts';
import { type Reader, readWhole, UnsupportedResourceError } from './reader.ts';

const ruleSchema = z.object({
  Description: z.string().optional(),
  Name: z.string().optional(),
  ScheduleExpression: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Tags: z.unknown().optional(),
  Targets: z
    .array(
      z.strictObject({
        Arn: z.string(),
        Id: z.string(),
        Input: z.string().optional(),
        // Both apply to events that do not reach Lambda, which cannot happen locally.
        DeadLetterConfig: z.unknown().optional(),
        RetryPolicy: z.unknown().optional(),
      }),
    )
    .default([]),
});

const invokeConfigSchema = z.object({
  FunctionName: z.string(),
  MaximumRetryAttempts: z.int().min(0).max(2).default(2),
  Qualifier: z.string().optional(),
});

/** Lambda's default number of retries of an asynchronous invocation. */
const defaultRetryAttempts = 2;

const minuteMs = 60_000;
const unitMs: Readonly<Record<string, number>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
};

const readRate = (resource: Resource, expression: string): number => {
  const { value, unit = '' } =
    /^rate\((?<value>[1-9][0-9]*) (?<unit>minute|hour|day)s?\)$/.exec(expression)?.groups ?? {};
  const everyMs = Number(value) * (unitMs[unit] ?? Number.NaN);
  if (Number.isNaN(everyMs)) {
    throw new UnsupportedResourceError(
      resource,
      `${expression} is not run locally, only rate(...) is`,
    );
  }
  return everyMs;
};

/** Returns the number of retries of the function's asynchronous invocations. */
const readRetryAttempts = (reader: Reader, target: LambdaFunction): number => {
  for (const resource of reader.ofType('AWS::Lambda::EventInvokeConfig')) {
    const { FunctionName } = reader.read(resource, invokeConfigSchema);
    if (findFunction([target], FunctionName) === undefined) continue;
    return readWhole(reader, resource, invokeConfigSchema).MaximumRetryAttempts;
  }
  return defaultRetryAttempts;
};

const parseInput = (resource: Resource, input: string): unknown => {
  const event = parseJson(input);
  if (event === undefined) {
    throw new UnsupportedResourceError(resource, 'the Input of a target is not JSON');
  }
  return event;
};

type Rule = z.output<typeof ruleSchema>;

const readTargets = (
  reader: Reader,
  resource: Resource,
  { rule, arn, functions }: { rule: Rule; arn: string; functions: readonly LambdaFunction[] },
): readonly ScheduleTarget[] => {
  const permissions = readPermissions(reader, 'events.amazonaws.com');
  return rule.Targets.map(({ Arn, Input }) => {
    const target = findFunction(functions, Arn);
    if (target === undefined)
      throw new UnsupportedResourceError(resource, `${Arn} is not one of its functions`);
    return {
      functionId: target.id,
      ...(Input !== undefined && { input: parseInput(resource, Input) }),
      permitted: permits(permissions, target, arn),
      retryAttempts: readRetryAttempts(reader, target),
    };
  });
};

/** True if the rule reacts to events and has no schedule. */
const isOnEvents = ({ properties }: Resource): boolean =>
  'EventPattern' in properties && !('ScheduleExpression' in properties);

/**
 * Returns the enabled schedules. If `goWithout` names `AWS::Events::EventBus`, rules on events are left out.
 * @throws {TemplateError} for any other rule on events, for a cron expression, and for a target that is no function
 */
export const readSchedules = (
  reader: Reader,
  functions: readonly LambdaFunction[],
  goWithout: readonly string[],
): readonly Schedule[] => {
  const hasBuses = !goWithout.includes('AWS::Events::EventBus');
  return reader.ofType('AWS::Events::Rule').flatMap((resource) => {
    if (!hasBuses && isOnEvents(resource)) return [];
    const rule = readWhole(reader, resource, ruleSchema);
    if (rule.State === 'DISABLED') return [];
    const arn = ruleArn(rule.Name ?? resource.id);
    const everyMs = readRate(resource, rule.ScheduleExpression);
    return [
      {
        id: resource.id,
        arn,
        everyMs,
        targets: readTargets(reader, resource, { rule, arn, functions }),
      },
    ];
  });
};

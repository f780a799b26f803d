/** Reads the API's stage: name, variables, access log format and throttles. */
import * as z from 'zod';
import { type Resource, TemplateError } from './assembly.ts';
import type { Throttle } from './model.ts';
import { type Reader, textSchema } from './reader.ts';

const stageSchema = z.object({
  AccessLogSetting: z.object({ Format: z.string().optional() }).default({}),
  MethodSettings: z
    .array(
      z.object({
        HttpMethod: z.string(),
        ResourcePath: z.string(),
        ThrottlingBurstLimit: z.number().optional(),
        ThrottlingRateLimit: z.number().optional(),
      }),
    )
    .default([]),
  StageName: z.string(),
  Variables: z.record(z.string(), textSchema).optional(),
});

interface MethodThrottle extends Throttle {
  readonly method: string;
  /** Path template, or `/*` for all paths. */
  readonly path: string;
}

export interface Stage {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>> | null;
  readonly accessLogFormat?: string;
  readonly throttles: readonly MethodThrottle[];
}

/** Returns the path of a method setting, which writes `~1` for each slash after the first: `/~1orders~1{id}`. */
const readSettingPath = (path: string): string =>
  path === '/*' ? path : path.replace(/^\/~1/, '/').replaceAll('~1', '/');

/** @throws {TemplateError} if the number of stages is not one */
export const readStage = (reader: Reader, api: Resource): Stage => {
  const [resource, ...others] = reader.ofType('AWS::ApiGateway::Stage');
  if (resource === undefined || others.length > 0) {
    throw new TemplateError(`expected exactly one stage of ${api.id}`);
  }
  const { StageName, Variables, AccessLogSetting, MethodSettings } = reader.read(
    resource,
    stageSchema,
  );
  return {
    name: StageName,
    variables: Variables ?? null,
    ...(AccessLogSetting.Format !== undefined && { accessLogFormat: AccessLogSetting.Format }),
    throttles: MethodSettings.flatMap((setting) =>
      setting.ThrottlingRateLimit === undefined
        ? []
        : {
            method: setting.HttpMethod,
            path: readSettingPath(setting.ResourcePath),
            ratePerSecond: setting.ThrottlingRateLimit,
            burst: setting.ThrottlingBurstLimit ?? setting.ThrottlingRateLimit,
          },
    ),
  };
};

/** Returns the throttle of one method: of the method, else of all methods of its path, else of the stage. */
export const findThrottle = (stage: Stage, method: string, path: string): Throttle | undefined => {
  const find = (wantedMethod: string, wantedPath: string) =>
    stage.throttles.find(
      (throttle) => throttle.method === wantedMethod && throttle.path === wantedPath,
    );
  const setting = find(method, path) ?? find('*', path) ?? find('*', '/*');
  return setting && { ratePerSecond: setting.ratePerSecond, burst: setting.burst };
};

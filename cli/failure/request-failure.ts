import type { RequestError } from '../../shared/api/client/client.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { formatValue } from '../output/values.ts';
import type { Settings } from '../session/settings.ts';
import { exitCodes, toExitCode } from './exit-code.ts';

const describeTokenSource = (settings: Settings | undefined): string =>
  `The token came from ${settings?.token?.source ?? 'the command'}.`;

const describeUrlSource = (settings: Settings | undefined): string => {
  const proxies = settings?.proxies ?? [];
  const through = proxies.length > 0 ? ` A proxy is set by ${proxies.join(' and ')}.` : '';
  return `The URL came from ${settings?.url.source}.${through}`;
};

/** Paths below the base URL are the command's own affair. */
const describeWrongBase = (settings: Settings | undefined): string => {
  const { value, source } = settings?.url ?? {};
  const surplus = /\/api(?:\/v1)?\/*$/.exec(value ?? '')?.[0];
  const advice = surplus ? `Leave ${surplus} away` : 'Is it the base URL of the registry';
  return `The URL is ${value}, from ${source}. ${advice}${surplus ? '.' : '?'}`;
};

/** What to do next, by the code of the failure, where the registry speaks of HTTP and people type commands. */
const advice: Readonly<Record<string, (settings: Settings | undefined, issues: string) => string>> =
  {
    missing_token: () => 'Give a token by registry login, REGISTRY_TOKEN or --token.',
    invalid_token: describeTokenSource,
    ambiguous_version: () => 'Say which, by adding one of these to the command:',
    wrong_subject: () => 'To keep it anyway, add: --force',
    reason_required: () => 'Give one by --reason.',
    approval_blocked: (_, issues) =>
      `To approve anyway, add: --override ${issues || 'CODES'} --reason "…"`,
    evidence_changed: () =>
      'registry show --evidence --json has it, with its evidence_version for --expected-evidence-version.',
    license_not_found: () => 'registry license list shows what is known.',
    package_not_found: () => 'registry list --search finds packages by a part of their name.',
    scan_not_found: () => "registry scan upload takes a scanner's report.",
    route_not_found: describeWrongBase,
    unreachable: describeUrlSource,
    timeout: describeUrlSource,
    unexpected_answer: describeUrlSource,
  };

/**
 * Returns what to do next about a failure of this code, a line; undefined if there is nothing to say.
 * @param issues the codes of the issues that block, with commas between; empty where they differ
 */
export const findAdvice = (
  code: string,
  settings: Settings | undefined,
  issues = '',
): string | undefined =>
  Object.hasOwn(advice, code) ? advice[code]?.(settings, issues) : undefined;

const pickObjects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** A version that could be meant, as flags. */
const formatCandidate = ({ ecosystem, version, status }: JsonObject): string =>
  `  --ecosystem ${formatValue(ecosystem)} --version ${formatValue(version)}   (${formatValue(status)})`;

/** The issues that block an approval, a line each. */
export const formatReasons = ({ problem }: RequestError): string[] =>
  pickObjects(problem?.['reasons']).map(({ message }) => `  - ${formatValue(message)}`);

const listIssueCodes = ({ problem }: RequestError): string =>
  pickObjects(problem?.['reasons'])
    .map(({ code }) => formatValue(code))
    .join(',');

/** What the registry says of these is in HTTP's words; the title and the advice say it in those of a command. */
const toldByTitle = new Set([
  ...['ambiguous_version', 'approval_blocked', 'missing_token', 'route_not_found'],
]);

/** What is wrong, in a sentence. The field that a reason is missing in says nothing that the advice does not. */
const tellFault = ({ problem, code, detail }: RequestError, reasons: readonly string[]): string => {
  if (problem && toldByTitle.has(code)) return `${problem.title}${reasons.length > 0 ? ':' : '.'}`;
  return code === 'reason_required' ? detail.replace(/^reason: /, '') : detail;
};

/** Describes a refused or failed request to people, and what to do next, a line each. */
export const describeRequestFailure = (
  error: RequestError,
  settings: Settings | undefined,
): string[] => {
  const { problem, code, requestId } = error;
  const reasons = formatReasons(error);
  const candidates = pickObjects(problem?.['candidates']).map(formatCandidate);
  const waitSeconds = Math.ceil(error.retryAfterMs / 1000);
  const next = findAdvice(code, settings, listIssueCodes(error));
  const isFault = toExitCode(error) === exitCodes.fault;
  return [
    tellFault(error, reasons),
    ...reasons,
    ...(next === undefined ? [] : [next]),
    ...candidates,
    ...(waitSeconds > 0 ? [`Try again in ${waitSeconds} s.`] : []),
    ...(isFault && requestId ? [`The registry's log has more under request ${requestId}.`] : []),
  ];
};

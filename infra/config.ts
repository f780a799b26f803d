import * as z from 'zod';
import { toOriginSetting } from '../shared/api/origin-setting.ts';
import { protections } from '../shared/domain/deployment/protections.ts';
import { isLoopback } from '../shared/domain/packages/source-hosts.ts';
import { findPreset, presetAgeDays } from '../shared/domain/policy/presets.ts';
import { recalledEcosystems, recallSources } from '../shared/domain/recalls/recall.ts';
import { defaultBlockingIssues } from '../shared/domain/review/approval.ts';
import { type Ecosystem, ecosystems } from '../shared/ecosystems/ecosystem.ts';
import { originAddresses } from './origin-addresses.ts';
import { findStreamFault, streamedTables } from './restored-tables.ts';
import { accessSettings } from './setting-groups/access.ts';
import { backupSettings, findBackupKeyFault } from './setting-groups/backups.ts';
import { gateSettings } from './setting-groups/gate.ts';
import { limitSettings } from './setting-groups/limits.ts';
import { monitoringSettings } from './setting-groups/monitoring.ts';
import { networkSettings } from './setting-groups/network.ts';
import { originSettings } from './setting-groups/origins.ts';
import { reviewSettings } from './setting-groups/reviews.ts';
import { scanSettings } from './setting-groups/scans.ts';
import { stackSettings } from './setting-groups/stack.ts';
import { SettingsError } from './settings-error.ts';
import { type Context, isSetting, readStage } from './stage.ts';

const shape = {
  ...stackSettings,
  ...networkSettings,
  ...backupSettings,
  ...monitoringSettings,
  ...limitSettings,
  ...accessSettings,
  ...reviewSettings,
  ...originSettings,
  ...gateSettings,
  ...scanSettings,
};

// A setting without a protection does not compile: its author decides which one it has.
protections satisfies Readonly<Record<keyof typeof shape, unknown>>;

type Shape = z.output<z.ZodObject<typeof shape>>;

/** Pairs of settings that need each other. */
const pairs = [
  ['subnetIds', 'securityGroupIds'],
  ['throttleRate', 'throttleBurst'],
  ['webhookUrl', 'webhookSecretArn'],
  ['domainName', 'certificateArn'],
  ['oidcIssuer', 'oidcClientId'],
] as const;

/** The settings with addresses of other services. */
const externalUrls = [
  ...(['osvUrl', 'malwareFeedUrl', 'trustedRootUrl', 'oidcIssuer'] as const),
  ...ecosystems.map(toOriginSetting),
] as const;

/** Returns whether an empty token list rejects requests. Where accounts or jobs have access, it never opens the registry. */
const needsTokens = ({ requireTokens, oidcIssuer, oidcAudience }: Shape): boolean =>
  requireTokens || oidcIssuer !== undefined || oidcAudience !== undefined;

/** Returns true if others can read what is sent to a URL: it has no TLS, and is not on this machine. */
const isReadable = (address = ''): boolean =>
  /^http:/i.test(address) && !isLoopback(new URL(address));

/** Adds an issue for each combination of settings that is not valid. */
const checkTogether = (settings: Shape, context: z.RefinementCtx): void => {
  const { environment } = settings;
  const demand = (path: string, why: string): void =>
    context.addIssue({ code: 'custom', path: [path], message: `is required: ${why}` });
  for (const [one, other] of pairs) {
    const missing = [one, other].filter((name) => !settings[name]?.toString());
    if (missing.length === 1) demand(`${missing[0]}`, `${one} and ${other} go together`);
  }
  if (settings.fourEyes && !needsTokens(settings)) {
    demand('requireTokens', 'fourEyes identifies people by their tokens');
  }
  if (settings.domainName !== undefined && settings.vpcEndpointIds.length > 0) {
    const message = 'is for a public API: the DNS of a VPC names a private one';
    context.addIssue({ code: 'custom', path: ['domainName'], message });
  }
  if (settings.disableDefaultEndpoint && settings.domainName === undefined) {
    demand('domainName', 'disableDefaultEndpoint closes the only other address');
  }
  if (settings.followUpdates !== 'none' && !settings.collectFacts) {
    demand('collectFacts', 'followUpdates finds newer versions in upstream metadata');
  }
  for (const name of externalUrls) {
    if (environment === 'production' && /^http:/i.test(settings[name] ?? '')) {
      const message = 'must be an https URL in production';
      context.addIssue({ code: 'custom', path: [name], message });
    } else if (settings.upstreamSecretArn !== undefined && isReadable(settings[name])) {
      const message = 'must be an https URL: others could read its account of upstreamSecretArn';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }
  if (settings.noProxy !== undefined && settings.proxyUrl === undefined) {
    demand('proxyUrl', 'noProxy has the hosts without it');
  }
  if (settings.oidcOrigins !== undefined && settings.oidcIssuer === undefined) {
    demand('oidcIssuer', 'oidcOrigins are for its sign-in');
  }
  if (environment === 'production' && /http:/.test(settings.oidcOrigins ?? '')) {
    const message = 'must be https origins in production';
    context.addIssue({ code: 'custom', path: ['oidcOrigins'], message });
  }
  const keyFault = findBackupKeyFault(settings);
  if (keyFault) context.addIssue({ code: 'custom', path: ['backupKeyArn'], message: keyFault });
  for (const id of streamedTables) {
    const message = findStreamFault(settings, id);
    if (message) context.addIssue({ code: 'custom', path: ['restoredStreams'], message });
  }
};

const isPublic = (settings: Shape, ecosystem: Ecosystem): boolean =>
  settings[toOriginSetting(ecosystem)] === originAddresses()[ecosystem];

/**
 * Returns the settings with the signals of recalls, and the ecosystems in which a removal upstream recalls. A mirror may lose
 * versions, so its removals recall only if `recall` names them.
 */
const completeRecall = (settings: Shape) => {
  const { recall } = settings;
  const watched = recalledEcosystems.filter(
    (ecosystem) => recall !== undefined || isPublic(settings, ecosystem),
  );
  const signals = recall ?? recallSources.join(',');
  const removals = signals.split(',').includes('removed') ? watched : [];
  return { ...settings, recall: signals, removalRecalls: removals.join(',') || 'none' };
};

/** The settings of one deployment, from the file of its stage and from CDK context (`-c name=value`). */
export const Settings = z
  .object(shape)
  .superRefine(checkTogether)
  .transform((settings) => ({
    ...completeRecall(settings),
    requireTokens: needsTokens(settings),
    oidcOrigins: settings.oidcOrigins ?? 'none',
  }));
export type Settings = z.output<typeof Settings>;

const listUnknownSettings = (context: Context): [name: string, message: string][] =>
  Object.keys(context)
    .filter((key) => isSetting(key) && !Object.hasOwn(shape, key))
    .map((key) => [key, `is unknown; there are ${Object.keys(shape).join(', ')}`]);

/**
 * Returns the defaults of settings that depend on the review policy. With a preset, a version younger than 7 days is blocked:
 * also a person needs an override to approve it. With a preset that approves, the registry submits minor updates itself.
 */
const findPolicyDefaults = ({ reviewPolicy, collectFacts = true }: Context) => {
  const preset = typeof reviewPolicy === 'string' ? findPreset(reviewPolicy) : undefined;
  if (!preset) return {};
  const approves = preset.rules.some(({ then }) => then === 'approve');
  return {
    minimumAgeDays: presetAgeDays,
    blockingIssues: [...defaultBlockingIssues, 'too_young'].join(','),
    ...(approves && String(collectFacts) === 'true' && { followUpdates: 'minor' }),
  };
};

/**
 * Returns the settings of a CDK context, and of the stage that it names.
 * @throws {SettingsError} naming each wrong setting, and its file
 */
export const parseSettings = (given: Context, folder?: string): Settings => {
  const { context, describeSource } = readStage(given, folder);
  const result = Settings.safeParse({ ...findPolicyDefaults(context), ...context });
  const wrong = (result.error?.issues ?? []).map(
    ({ path, message }): [name: string, message: string] => [path.join('.'), message],
  );
  const problems = [...listUnknownSettings(context), ...wrong].map(
    ([name, message]) => `${describeSource(name.split('.', 1).join())}${name} ${message}`,
  );
  if (!result.success || problems.length > 0) throw new SettingsError(problems.join('\n'));
  return result.data;
};

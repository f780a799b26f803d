import type { App } from 'aws-cdk-lib';
import { CfnOutput, Duration, Stack, Tags } from 'aws-cdk-lib';
import { allRoutes } from '../shared/api/all-routes.ts';
import { allPages, type Page, pages } from '../shared/api/non-api-routes.ts';
import {
  type AccessSetting,
  imageRegistriesFile,
  listAccess,
  reviewPolicyFile,
} from '../shared/api/resources.ts';
import type { Route } from '../shared/api/route.ts';
import * as routes from '../shared/api/routes.ts';
import { sendsRequests } from '../shared/api/sends-requests.ts';
import { type Worker, workers } from '../shared/api/workers.ts';
import { trustedIssuersFile } from '../shared/domain/identity/trusted-issuer.ts';
import { readCaCertificates } from './ca-certificates.ts';
import type { Settings } from './config.ts';
import { Backups } from './constructs/backups.ts';
import { encryptWithCustomerKey } from './constructs/customer-key.ts';
import { DataMigration } from './constructs/data-migration.ts';
import { DeploymentCheck } from './constructs/deployment-check.ts';
import { RegistryEventBus } from './constructs/event-bus.ts';
import { EventLog } from './constructs/event-log.ts';
import type { FunctionCode } from './constructs/function-bundles.ts';
import { LicenseCatalogue } from './constructs/license-catalogue.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { NewVersions } from './constructs/new-versions.ts';
import { bindOutboundAccess, caCertificatesFile } from './constructs/outbound-access.ts';
import { PackageScanning } from './constructs/package-scanning.ts';
import { ReviewPolicy } from './constructs/policy-worker.ts';
import { RegistryFunction } from './constructs/registry-function.ts';
import { RegistryQueues } from './constructs/registry-queues.ts';
import { RegistryTables } from './constructs/registry-tables.ts';
import { RestApi } from './constructs/rest-api.ts';
import { SharedLog } from './constructs/shared-log.ts';
import { SigningKey } from './constructs/signing-key.ts';
import { TokenSecret } from './constructs/token-secret.ts';
import { bindUpstreamSecret } from './constructs/upstream-secret.ts';
import { VersionIndex } from './constructs/version-index.ts';
import { WorkerSchedule } from './constructs/worker-schedule.ts';
import { readIdentityRules } from './identity-rules.ts';
import { readImageRegistries } from './image-registries.ts';
import { readLicensePolicy } from './license-policy.ts';
import { readReviewPolicy } from './review-policy.ts';

/** The timeout of functions that answer requests, below API Gateway's limit of 29 seconds. */
const requestTimeout = Duration.seconds(20);

/** The functions of the gate, which builds call in bursts. */
const gates: readonly Page[] = [pages.serveNpm, pages.servePypi, pages.serveMaven];

const mapValues = <K extends string, V, R>(
  values: Readonly<Record<K, V>>,
  map: (value: V, key: K) => R,
): Readonly<Record<K, R>> =>
  Object.fromEntries(
    Object.entries<V>(values).map(([key, value]) => [key, map(value, key as K)]),
  ) as Record<K, R>;

/** The CloudFormation stack of the registry: tables, queues, token list, API, and one function for each route, page and worker. */
export class RegistryStack extends Stack {
  constructor(app: App, settings: Settings, functionCode: FunctionCode) {
    super(app, settings.stackName, {
      description: 'Registry of the open-source packages that an organisation approves',
      terminationProtection: settings.environment === 'production',
    });

    for (const [name, value] of Object.entries(settings.tags)) Tags.of(this).add(name, value);

    const tables = new RegistryTables(this, 'Tables', settings);
    const isOn = (setting: AccessSetting): boolean =>
      !['none', false, undefined].includes(settings[setting]);
    const submitsItself = isOn('followUpdates') || isOn('gateRequests');
    const { osvScanning, collectFacts, gateConcurrency, workerConcurrency } = settings;
    const queues = new RegistryQueues(this, 'Queues', {
      ids: ['scan', 'facts', ...(submitsItself ? (['submissions'] as const) : [])],
      concurrency: workerConcurrency,
    });
    const tokens = new TokenSecret(this, 'Tokens', settings);
    const signingKey = isOn('signDecisions')
      ? new SigningKey(this, 'SigningKey', settings)
      : undefined;
    const api = new RestApi(this, 'Api', settings);
    const endpointsLog = new SharedLog(this, 'EndpointsLog', settings);
    const workersLog = new SharedLog(this, 'WorkersLog', settings);
    const reviewPolicy = readReviewPolicy(settings.reviewPolicy);
    const hasRules = reviewPolicy.rules.length > 0;
    const streamReaders: readonly (keyof typeof workers)[] = [
      'sequenceEvents',
      'indexVersions',
      ...(hasRules ? (['applyPolicy'] as const) : []),
      ...(osvScanning || collectFacts ? (['forwardVersions'] as const) : []),
      ...(signingKey ? (['signDecisions'] as const) : []),
    ];
    const policyFile = { [reviewPolicyFile]: JSON.stringify(reviewPolicy) };
    const registriesFile = { [imageRegistriesFile]: JSON.stringify(readImageRegistries(settings)) };
    const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      [workers.applyPolicy.id]: policyFile,
      [workers.collectFacts.id]: { ...policyFile, ...registriesFile },
      [workers.submitRequested.id]: policyFile,
      [workers.runDueWork.id]: policyFile,
      [routes.showPolicy.id]: policyFile,
      [routes.runPolicy.id]: policyFile,
    };
    const identity = readIdentityRules(settings);
    const issuersFile = { [trustedIssuersFile]: JSON.stringify(identity) };
    const caCertificates = readCaCertificates(settings);
    const caFile = caCertificates !== undefined && { [caCertificatesFile]: caCertificates };
    const addFunction = (
      definition: Route | Page | Worker,
      {
        timeout,
        log,
        concurrency,
      }: { timeout: Duration; log: SharedLog; concurrency?: number | undefined },
    ): RegistryFunction => {
      const { id } = definition;
      const readsIssuers = 'method' in definition && definition.access.tokens !== undefined;
      const granted = listAccess(definition, isOn);
      const isOutbound = sendsRequests(definition, granted, identity.issuers.length > 0);
      const code = functionCode.codeOf(id, {
        ...files[id],
        ...(readsIssuers && issuersFile),
        ...(isOutbound && caFile),
      });
      const added = new RegistryFunction(this, id, { code, timeout, log, settings, concurrency });
      if (isOutbound) bindOutboundAccess(added, settings);
      for (const access of granted) {
        tables.bind(added, access);
        if (access.tokens) tokens.bind(added, access.tokens);
        if (access.signingKey) signingKey?.bind(added, access.signingKey);
        if (access.upstreamSecret) {
          bindUpstreamSecret(added, access.upstreamSecret, settings);
        }
        if (access.stack) {
          added.allow(
            access.stack.map((action) => `cloudformation:${action}`),
            [this.stackId],
          );
        }
        if (access.queues) queues.bind(added, access.queues);
        if (access.settings) added.setSettings(access.settings);
      }
      return added;
    };

    const answering = { timeout: requestTimeout, log: endpointsLog };
    for (const route of allRoutes) api.addRoute(route, addFunction(route, answering));
    for (const page of allPages) {
      const concurrency = gates.includes(page) ? gateConcurrency : undefined;
      api.addPage(page, addFunction(page, { ...answering, concurrency }));
    }
    const invoked = mapValues(workers, (worker, name) => {
      const timeout = Duration.minutes(worker.timeoutMinutes);
      const concurrency = streamReaders.includes(name) ? workerConcurrency : undefined;
      const added = addFunction(worker, { timeout, log: workersLog, concurrency });
      // Only CloudFormation invokes it.
      if (worker !== workers.checkDeployment) added.addOutput();
      return added;
    });
    tokens.rotateBy(invoked.rotateTokens);
    const migration = new DataMigration(this, 'DataMigration', {
      migrator: invoked.migrateData,
      tables,
    });
    const licenses = new LicenseCatalogue(this, 'LicenseCatalogue', {
      loader: invoked.loadLicenses,
      policy: readLicensePolicy(settings.licensePolicy),
      table: tables.of('licenses').tableName,
    });
    licenses.node.addDependency(migration);

    new WorkerSchedule(this, 'LicensesSchedule', {
      worker: invoked.normalizeLicenses,
      every: Duration.hours(1),
      task: 'that normalizes licenses again after a change of the rules',
    });

    new WorkerSchedule(this, 'DueWorkSchedule', {
      worker: invoked.runDueWork,
      every: Duration.minutes(1),
      task: 'for due work',
    });
    new EventLog(this, 'EventLog', {
      decisions: tables.of('decisions'),
      sequencer: invoked.sequenceEvents,
    });
    signingKey?.signBy(invoked.signDecisions, tables.of('decisions'));
    new VersionIndex(this, 'VersionIndex', {
      reviews: tables.of('reviews'),
      indexer: invoked.indexVersions,
    });
    if (hasRules) {
      new ReviewPolicy(this, 'ReviewPolicy', {
        reviews: tables.of('reviews'),
        judge: invoked.applyPolicy,
        policy: reviewPolicy,
      });
    }
    const bus = new RegistryEventBus(this, 'EventBus', { events: tables.of('events'), settings });
    if (osvScanning || collectFacts) {
      new NewVersions(this, 'NewVersions', {
        packages: tables.of('packages'),
        forwarder: invoked.forwardVersions,
      });
    }
    if (collectFacts) queues.addConsumer('facts', invoked.collectFacts);
    if (submitsItself) queues.addConsumer('submissions', invoked.submitRequested);
    if (osvScanning) {
      new PackageScanning(this, 'PackageScanning', {
        queues,
        scanner: invoked.scanSubmissions,
        rescanner: invoked.rescanPackages,
      });
    }

    const refreshesRoot = collectFacts && settings.trustedRootUrl !== 'none';
    if (refreshesRoot) {
      new WorkerSchedule(this, 'TrustedRootSchedule', {
        worker: invoked.refreshTrustedRoot,
        every: Duration.days(1),
        task: 'that refreshes the trusted root of Sigstore',
      });
    }

    const recalls = settings.recall !== 'none';
    if (recalls) {
      new WorkerSchedule(this, 'RecallSchedule', {
        worker: invoked.recallPackages,
        every: Duration.minutes(settings.recallMinutes),
        task: 'that recalls malicious and removed versions',
      });
    }

    const checksIntegrity = settings.integrityDays > 0;
    if (checksIntegrity) {
      new WorkerSchedule(this, 'IntegritySchedule', {
        worker: invoked.checkIntegrity,
        every: Duration.minutes(15),
        task: 'that begins or continues the integrity check',
        event: { scheduled: true },
      });
    }

    new Monitoring(this, 'Monitoring', {
      api,
      endpointsLog,
      workersLog,
      scheduled: [
        invoked.runDueWork,
        ...(osvScanning ? [invoked.rescanPackages] : []),
        ...(recalls ? [invoked.recallPackages] : []),
        ...(checksIntegrity ? [invoked.checkIntegrity] : []),
      ],
      streamReaders: streamReaders.map((name) => invoked[name]),
      tables: tables.all,
      queues,
      bus,
      signingKey,
      settings,
    });

    const { backupVaultArn } = settings;
    if (backupVaultArn !== undefined) {
      new Backups(this, 'Backups', {
        tables: Object.entries(tables.all)
          // A restored answer to a repeated request could be about data that is lost.
          .filter(([id]) => id !== 'idempotency')
          .map(([, table]) => table),
        vaultArn: backupVaultArn,
        settings,
      });
    }

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'The base URL of the API' });
    tables.addOutputs();
    tokens.addOutputs();

    const check = new DeploymentCheck(this, 'DeploymentCheck', {
      checker: invoked.checkDeployment,
      tables,
      settings,
    });
    migration.follow(this.node.children.filter((part) => part !== migration && part !== licenses));
    check.precede(this.node.children.filter((part) => part !== workersLog));
    if (settings.kmsKeyArn !== undefined) encryptWithCustomerKey(this, settings.kmsKeyArn);
  }
}

import type { CliCommand } from '../framework/command.ts';
import type { RouteName } from '../framework/route-types.ts';
import { admit } from './admit.ts';
import { approve } from './approve/approve.ts';
import { approved } from './approved/approved.ts';
import { attention } from './attention.ts';
import { attestation } from './attestation.ts';
import { batches } from './batches.ts';
import { check } from './check/check.ts';
import { claim } from './claim.ts';
import { comment } from './comment.ts';
import { completion } from './completion/completion.ts';
import { dependencies } from './dependencies.ts';
import { diff } from './diff/diff.ts';
import { events } from './events/events.ts';
import { expirations } from './expirations.ts';
import { exportDecisions } from './export-decisions/export-decisions.ts';
import { exportEvidence } from './export-evidence/export-evidence.ts';
import { exportSbom } from './export-sbom/export-sbom.ts';
import { exportVex } from './export-vex/export-vex.ts';
import { freeze } from './freeze.ts';
import { freezeShow } from './freeze-show.ts';
import { help } from './help.ts';
import { history } from './history.ts';
import { keys } from './keys.ts';
import { licenseCompatibility } from './license-compatibility.ts';
import { licenseList } from './license-list.ts';
import { licenseSet } from './license-set.ts';
import { licenseShow } from './license-show.ts';
import { licenseVersions } from './license-versions.ts';
import { list } from './list/list.ts';
import { login } from './login/login.ts';
import { logout } from './logout.ts';
import { mcp } from './mcp/mcp.ts';
import { pinImages } from './pin-images.ts';
import { policyApply } from './policy-apply.ts';
import { policyInit } from './policy-init.ts';
import { policyShow } from './policy-show.ts';
import { policyTest } from './policy-test/policy-test.ts';
import { projects } from './projects.ts';
import { projectsRemove } from './projects-remove.ts';
import { projectsReplaceOwner } from './projects-replace-owner.ts';
import { projectsShow } from './projects-show.ts';
import { queue } from './queue.ts';
import { queueSummary } from './queue-summary.ts';
import { recall } from './recall.ts';
import { recalls } from './recalls.ts';
import { recallsHeld } from './recalls-held.ts';
import { reject } from './reject/reject.ts';
import { request } from './request/request.ts';
import { review } from './review/review.ts';
import { scanDismiss } from './scan-dismiss/scan-dismiss.ts';
import { scanHistory } from './scan-history.ts';
import { scanSbom } from './scan-sbom/scan-sbom.ts';
import { scanShow } from './scan-show/scan-show.ts';
import { scanUpload } from './scan-upload/scan-upload.ts';
import { search } from './search.ts';
import { show } from './show/show.ts';
import { statistics } from './statistics.ts';
import { status } from './status.ts';
import { submit } from './submit/submit.ts';
import { tokenNew } from './token-new/token-new.ts';
import { unfreeze } from './unfreeze.ts';
import { verify } from './verify/verify.ts';
import { versions } from './versions.ts';
import { vulnerabilityAccept } from './vulnerability-accept/vulnerability-accept.ts';
import { vulnerabilityList } from './vulnerability-list.ts';
import { vulnerabilityProjects } from './vulnerability-projects.ts';
import { vulnerabilityShow } from './vulnerability-show.ts';
import { vulnerabilityWithdraw } from './vulnerability-withdraw.ts';
import { where } from './where/where.ts';
import { whoami } from './whoami.ts';

/** The command that reaches each route. A route without a command does not compile. */
export const routeCommands: Readonly<Record<RouteName, CliCommand>> = {
  showService: status,
  showCaller: whoami,
  listPackages: list,
  showPackage: show,
  showEvidence: show,
  showChanges: diff,
  listDependencies: dependencies,
  listVersions: versions,
  submitPackage: submit,
  approvePackage: approve,
  rejectPackage: reject,
  listReviews: queue,
  summarizeReviews: queueSummary,
  listBatches: batches,
  claimReview: claim,
  commentPackage: comment,
  listHistory: history,
  showAttestation: attestation,
  showKeys: keys,
  listExpirations: expirations,
  listEvents: events,
  showStatistics: statistics,
  showScan: scanShow,
  listScans: scanHistory,
  submitScan: scanUpload,
  dismissScan: scanDismiss,
  listAttention: attention,
  listRecalls: recalls,
  listLicenses: licenseList,
  showLicense: licenseShow,
  listLicenseVersions: licenseVersions,
  setLicense: licenseSet,
  compareLicenses: licenseCompatibility,
  listVulnerabilities: vulnerabilityList,
  showVulnerability: vulnerabilityShow,
  acceptVulnerability: vulnerabilityAccept,
  withdrawAcceptance: vulnerabilityWithdraw,
  admitPod: admit,
  pinImages,
  previewPolicy: policyTest,
  showPolicy: policyShow,
  runPolicy: policyApply,
  checkPackages: check,
  listHeldRecalls: recallsHeld,
  decideHeldRecall: recall,
  freezeRegistry: freeze,
  liftFreeze: unfreeze,
  showFreeze: freezeShow,
  recordSnapshot: check,
  listProjects: projects,
  showProject: projectsShow,
  removeProject: projectsRemove,
  listPackageProjects: where,
  listProjectUses: where,
  listVulnerabilityProjects: vulnerabilityProjects,
  replaceOwner: projectsReplaceOwner,
};

/** Commands under one heading of the help. */
export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly CliCommand[];
}

/** All commands, in the groups and the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    heading: 'Find packages',
    commands: [check, show, diff, dependencies, search, list, versions, approved, history],
  },
  {
    heading: 'Submit and review',
    commands: [
      ...[request, submit, queue, queueSummary, batches, review, approve, reject, claim, comment],
      ...[policyShow, policyTest, policyApply, policyInit],
    ],
  },
  { heading: 'Watch what is approved', commands: [attention, expirations, events, statistics] },
  {
    heading: 'Projects',
    commands: [where, projects, projectsShow, projectsRemove, projectsReplaceOwner],
  },
  { heading: 'Signed decisions', commands: [attestation, keys, verify] },
  { heading: 'Incidents', commands: [recalls, recallsHeld, recall, freeze, freezeShow, unfreeze] },
  {
    heading: 'Scans and vulnerabilities',
    commands: [
      ...[scanShow, scanHistory, scanUpload, scanSbom, scanDismiss],
      ...[vulnerabilityList, vulnerabilityShow, vulnerabilityProjects],
      ...[vulnerabilityAccept, vulnerabilityWithdraw],
    ],
  },
  { heading: 'Audit', commands: [exportEvidence, exportDecisions, exportVex, exportSbom] },
  {
    heading: 'Licenses',
    commands: [licenseList, licenseShow, licenseVersions, licenseSet, licenseCompatibility],
  },
  { heading: 'Connect and set up', commands: [login, logout, status, whoami, tokenNew] },
  { heading: 'Other programs', commands: [admit, pinImages, mcp, completion, help] },
];

import type { LambdaFunction, StackModel } from '@package-registry/local-aws';
import { reviewPolicyFile } from '../../shared/api/resources.ts';
import type { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { type DeployedFile, deployFile } from './deployed-file.ts';
import { functionOf } from './functions.ts';

const readers = [
  ...['apply-policy', 'collect-facts', 'run-due-work', 'run-policy', 'show-policy'],
  'submit-requested',
];

/** Gives functions these rules, and lets the worker consume review states if there are any rules. */
export const deployPolicy = (model: StackModel, policy: ReviewPolicy): DeployedFile => {
  const deployed = deployFile(
    model,
    readers.map((id) => functionOf(model, id)),
    { name: reviewPolicyFile, text: JSON.stringify(policy) },
  );
  const judge = functionOf(model, 'apply-policy');
  const indexer = functionOf(model, 'index-versions');
  const source = Object.values(model.eventSources).find(
    ({ functionId }) => functionId === indexer.id,
  );
  if (!source) throw new Error('The template has no consumer of review states');
  const id = 'PolicyReader';
  const listGrants = ({ roleId }: LambdaFunction) => model.roles[roleId] ?? [];
  const streamGrants = listGrants(indexer).filter(({ actions }) =>
    actions.includes('dynamodb:GetRecords'),
  );
  // Without filters, also the steps of runs pass.
  const reader = { ...source, id, functionId: judge.id, filters: [] };
  return {
    ...deployed,
    model: {
      ...deployed.model,
      roles: { ...model.roles, [judge.roleId]: [...listGrants(judge), ...streamGrants] },
      eventSources: { ...model.eventSources, [id]: reader },
    },
  };
};

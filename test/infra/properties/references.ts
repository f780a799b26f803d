import type { Template } from 'aws-cdk-lib/assertions';
import { toTitleCase } from '../../../infra/constructs/title-case.ts';
import type { TableId } from '../../../shared/api/resources.ts';
import { findResource } from './property.ts';

/** Returns the reference to an attribute of the only resource of a type whose logical id has this prefix. */
export const attributeOf = (
  template: Template,
  type: string,
  prefix: string,
  attribute: string,
) => ({
  'Fn::GetAtt': [findResource(template, type, prefix).id, attribute],
});

/** Returns the reference to a table's stream. */
export const streamOf = (template: Template, id: TableId) =>
  attributeOf(template, 'AWS::DynamoDB::GlobalTable', `Tables${toTitleCase(id)}`, 'StreamArn');

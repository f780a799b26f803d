import type { Template } from 'aws-cdk-lib/assertions';
import { toTitleCase } from '../../../infra/constructs/title-case.ts';
import type { TableId } from '../../../shared/api/resources.ts';
import { findResource } from './property.ts';

/** How a template refers to an attribute of the one resource of a type whose logical id begins so. */
export const attributeOf = (
  template: Template,
  type: string,
  prefix: string,
  attribute: string,
) => ({
  'Fn::GetAtt': [findResource(template, type, prefix).id, attribute],
});

/** How a template refers to a table's stream. */
export const streamOf = (template: Template, id: TableId) =>
  attributeOf(template, 'AWS::DynamoDB::GlobalTable', `Tables${toTitleCase(id)}`, 'StreamArn');

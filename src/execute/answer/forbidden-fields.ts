// Fields that a rule keeps from some viewers answer null where the schema allows it, with an error at their path, so that one document
// serves several roles. Whatever else a rule refuses is refused before the operation runs: plan/refused-fields.ts decides which of the two it is.

import { defaultFieldResolver, isObjectType, type GraphQLSchema } from 'graphql'
import { allFields, type Model } from '../../model/model.ts'
import { answersNull } from '../../plan/refused-fields.ts'
import type { RequestContext } from '../resolvers.ts'

/** Only fields with a rule of their own are wrapped: for all others nothing is asked. */
export function guardFields(schema: GraphQLSchema, model: Model): void {
  for (const field of allFields(model)) {
    const type = schema.getType(field.owner)
    const served = isObjectType(type) ? type.getFields()[field.name] : undefined
    if (!served || !field.readable || !answersNull(served)) continue
    const { resolve = defaultFieldResolver } = served
    served.resolve = (source, args, context: RequestContext, info) => {
      const { access } = context.quire.reads
      return access?.reading(field) === 'refused' ? access.refusal(field.coordinate, info.fieldNodes) : resolve(source, args, context, info)
    }
  }
}

// Checks the reservations of unique values, on stores that need them: those whose document has not the value, because a process died
// in between, or because the field is not unique any more. They are read as the store has them, of all tenants.

import type { Body } from '../../../model/json/json.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import { ownContainer } from '../../../store/own-container.ts'
import type { Store, StoredDocument } from '../../../store/store.ts'
import { TenantStore, tenantMark } from '../../../store/tenants/tenant-store.ts'
import { valueIn } from '../../../write/unique/check-unique.ts'
import { holderOf, isOver, reservationType, reservedField } from '../../../write/unique/reservations.ts'
import type { CheckOptions } from '../check-store.ts'
import { tried } from './check-unique.ts'
import { documentPages } from '../document-pages.ts'
import type { Finding } from '../finding.ts'

/** `tenants` are all that have documents; undefined where tenants do not share the store. */
export async function* checkReservations(declaration: Declaration, store: Store, tenants: readonly string[] | undefined, { repair = false, signal }: CheckOptions): AsyncGenerator<Finding> {
  if (store.supports.atomic === 'store') return
  const byMark = tenants && new Map(tenants.map((tenant) => [tenantMark(tenant), tenant]))
  for await (const page of documentPages(store, { container: ownContainer, type: reservationType })) {
    const { earliest } = await store.now()
    for (const reservation of page) {
      signal?.throwIfAborted()
      const { key, etag, body } = reservation
      const tenant = byMark?.get(key.id.slice(key.id.indexOf('.') + 1))
      // While a write may be under way, nothing proves that the document will not have the value.
      if (!isOver(body, earliest, store)) continue
      const view = tenants ? (tenant === undefined ? undefined : new TenantStore(store, tenant)) : store
      if (await hasValue(declaration, view, body)) continue
      const isRemoved = repair && (await tried(() => store.write([{ kind: 'delete', container: ownContainer, key, only: { ifMatch: etag } }])))
      const finding = orphan(reservation)
      yield { ...finding, ...(tenant === undefined ? {} : { tenant }), ...(isRemoved ? { repair: 'done' as const } : {}) }
    }
  }
}

/** A tenant without documents has none with the value. */
async function hasValue({ model }: Declaration, store: Store | undefined, body: Body): Promise<boolean> {
  const [reserved, holder] = [reservedField(model, body), holderOf(body)]
  if (!store || !reserved || !holder) return false
  const [document] = await store.readMany(reserved.type.container, [holder])
  return valueIn(reserved.unique, document?.body) === body['value']
}

function orphan({ body }: StoredDocument): Finding {
  const [field, id] = [String(body['field']), holderOf(body)?.id ?? '']
  return { kind: 'reservation', at: field, id, sentence: `${field}: a value is reserved for ${id}, which does not have it. Repair removes the reservation.`, repair: 'possible' }
}

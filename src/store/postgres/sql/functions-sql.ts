// The functions that a schema gets once, and what expressions call them with. Indexes are made of these expressions, so they stay right
// even when other programs write. Their names end with a version: a changed function needs another name, and new indexes.

import type { Path } from '../../query.ts'
import { portable } from './portable-text.ts'
import { keptBytes, maxKeyBytes } from './sort-key.ts'
import { literal, raw, sql, textArray, type Sql } from './sql-fragment.ts'

const names = { key: 'quire_key_1', values: 'quire_values_1', keys: 'quire_keys_1' }

/** The names of all functions, and how each is created. They call each other by full names, because PostgreSQL builds indexes without a search path. */
export function functionDefinitions(schema: Sql): readonly { readonly name: string; readonly definition: Sql }[] {
  const [key, values, keys] = [names.key, names.values, names.keys].map((name) => sql`${schema}.${raw(name)}`) as [Sql, Sql, Sql]
  return [
    { name: names.key, definition: sql`CREATE FUNCTION ${key}(v jsonb) RETURNS bytea LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  k bytea;
  b bigint;
BEGIN
  CASE jsonb_typeof(v)
    WHEN 'string' THEN
      k := '\\x03'::bytea || convert_to(v #>> '{}', 'UTF8');
      IF length(k) > ${raw(String(maxKeyBytes))} THEN k := substr(k, 1, ${raw(String(keptBytes))}) || sha256(k); END IF;
      RETURN k;
    WHEN 'number' THEN
      b := ('x' || encode(float8send((v #>> '{}')::float8), 'hex'))::bit(64)::bigint;
      RETURN '\\x02'::bytea || int8send(CASE WHEN b < 0 THEN ~b ELSE b # (-9223372036854775808) END);
    WHEN 'boolean' THEN
      RETURN CASE WHEN v = 'true'::jsonb THEN '\\x0101'::bytea ELSE '\\x0100'::bytea END;
    ELSE
      RETURN '\\x00'::bytea;
  END CASE;
END $$` },
    { name: names.values, definition: sql`CREATE FUNCTION ${values}(v jsonb, path text[]) RETURNS jsonb[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  found jsonb[] := ARRAY[v];
  name text;
BEGIN
  FOREACH name IN ARRAY path LOOP
    IF name = '*' THEN
      found := ARRAY(SELECT e FROM unnest(found) AS f CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(f) WHEN 'array' THEN f ELSE '[]'::jsonb END) AS e);
    ELSE
      found := ARRAY(SELECT f -> name FROM unnest(found) AS f);
    END IF;
  END LOOP;
  RETURN found;
END $$` },
    { name: names.keys, definition: sql`CREATE FUNCTION ${keys}(v jsonb, path text[]) RETURNS bytea[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT ${key}(e) FROM unnest(${values}(v, path)) AS e);
END $$` },
  ]
}

/** What expressions need to know of the server. */
export interface SqlContext {
  readonly schema: Sql
  /** A collation whose lower() knows all letters. */
  readonly caseCollation: Sql
}

/** The value at a path without `'*'`, as `jsonb`; NULL if it is missing. A name leads into objects only, never into lists. */
export function valueAt(json: Sql, path: Path): Sql {
  return path.reduce((value, name) => sql`${value} -> ${literal(portable(name))}`, json)
}

export function keyOfValue({ schema }: Pick<SqlContext, 'schema'>, value: Sql): Sql {
  return sql`${schema}.${raw(names.key)}(${value})`
}

/** All values at a path with `'*'`. */
export function valuesAt({ schema }: Pick<SqlContext, 'schema'>, json: Sql, path: Path): Sql {
  return sql`unnest(${schema}.${raw(names.values)}(${json}, ${pathLiteral(path)}))`
}

/** The sort keys of all values at a path with `'*'`, as an array. */
export function keysAt({ schema }: Pick<SqlContext, 'schema'>, json: Sql, path: Path): Sql {
  return sql`${schema}.${raw(names.keys)}(${json}, ${pathLiteral(path)})`
}

function pathLiteral(path: Path): Sql {
  return sql`${literal(textArray(path.map(portable)))}::text[]`
}

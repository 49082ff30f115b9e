// `quire-graphql/cosmos`.

export { openCosmosStore, type CosmosSetting } from '../store/cosmos/cosmos-store.ts'
export type { CallLimits } from '../store/cosmos/request/call-scope.ts'

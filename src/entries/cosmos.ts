// `quire-graphql/cosmos`.

export { openCosmosStore, type CosmosSetting } from '../store/cosmos/cosmos-store.ts'

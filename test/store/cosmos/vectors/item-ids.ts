// Ids of items, and what the service's routing gateway does with them: facts of the tests of item ids in azure-sdk-for-js (itemIdEncoding.spec),
// azure-cosmos-dotnet-v3 (CosmosItemIdEncodingTests), azure-sdk-for-java and azure-sdk-for-go. The ids are ours.

/** Created, read, replaced and deleted, also by point requests. */
export const plainIds: readonly string[] = ['Test', 'with a space', ' leading', '   leading', 'WithUnicode\u9c40', ',=.:~+-@()^${}[]!_', 'a?b', 'a?b?c', '?b', '😀', 'a%zz', '100%']

/** Those that the JavaScript SDK cannot ask for: it puts the id into a URL as it is, and a URL leaves out a `?` at its end. */
export const idsBeyondSdk: readonly string[] = ['?', 'a?']

/** Created, and then answered with 401 where the path has the id. */
export const idsBeyondUrls: readonly string[] = ['trailing ', 'trailing   ', 'encoded%20', 'encoded%E9%B1%80', '%41', 'tab\t']

/** Never created. */
export const impossibleIds: readonly string[] = ['a/b', 'a\\b', 'a#b', '']

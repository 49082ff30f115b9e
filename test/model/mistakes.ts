// Every wrong declaration, by the directive that is used wrongly: a schema and its exact problems. docs/directives.md
// shows them too.

export const post = 'type Post @document(container: "posts") { id: ID! title: String! }'

export interface Mistake {
  readonly sdl: string
  readonly says: readonly string[]
}

/** `any` has the mistakes that belong to no single directive. */
export const mistakes: { readonly [word: string]: { readonly [wrong: string]: Mistake } } = {
  any: {
    'no document type at all': {
      sdl: 'type Post { id: ID! }',
      says: ['The schema has no document type. Add @document(container: "…") to each type that is stored as documents.'],
    },
    'a type that does not exist': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: Tagg @reference(at: "tagId") }',
      says: ['Unknown type "Tagg".'],
    },
    'a directive that does not exist': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: String @refers }',
      says: ['Unknown directive "@refers". Did you mean "@reverse"?'],
    },
    'a field of documents without a directive': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post }`,
      says: ['Blog.post: it returns Post documents but does not declare how to find them. Add @reference, @snapshot, @reverse or @joined, or @resolved with a resolver.'],
    },
    'a value stored in two ways': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post @reference(at: "a") @snapshot(at: "b", fields: []) }`,
      says: ['Blog.post: it is declared @reference and @snapshot, but a field is stored in one way. Keep one of them.'],
    },
    'a field with the name of a property of every JavaScript object': {
      sdl: 'type Car @document(container: "cars") { id: ID! constructor: String engine: Engine } type Engine { toString: Int }',
      says: [
        'Car.constructor: every JavaScript object has a property of this name. Rename the field.',
        'Engine.toString: every JavaScript object has a property of this name. Rename the field.',
      ],
    },
    'a property that the database fills': {
      sdl: 'type Post @document(container: "posts") { id: ID! ttl: Int changed: Int @stored(at: "_ts") }',
      says: [
        'Post.ttl: it is stored at "ttl", which is reserved: Cosmos DB deletes a document after that many seconds, where a container has a time to live. Rename the field, or store it under another name, with at.',
        'Post.changed: it is stored at "_ts", which is reserved: Cosmos DB keeps the time of the last write there. Store it under another name, with at.',
      ],
    },
    'a synthetic partition key where the database keeps something': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: ["topic"], at: "ttl" }) { id: ID! topic: String! }',
      says: ['Post: its synthetic partition key is stored at "ttl", which is reserved: Cosmos DB deletes a document after that many seconds, where a container has a time to live. Store it under another name, with at.'],
    },
    'a property that Quire fills': {
      sdl: 'type Post @document(container: "posts") { id: ID! version: Int @stored(at: "_v") _v: Int @stored(at: "v") }',
      says: [
        'Post.version: it is stored at "_v", which is reserved: Quire counts the writes of a document there. Store it under another name, with at.',
        'Post._v: snapshots of a Post keep its version under this name. Rename the field.',
      ],
    },
    'a storage directive where nothing is stored': {
      sdl: `${post} extend type Query { newest: String @indexed } interface Named { name: String @stored(at: "n") }`,
      says: [
        'Query.newest: @indexed does nothing here, because Query holds no data. Remove it.',
        'Named.name: @stored does nothing here, because Named is an interface. Put it on the field of each type that implements it.',
      ],
    },
    '@document on an interface': {
      sdl: 'interface Pet @document(container: "pets") { id: ID! }',
      says: ['Directive "@document" may not be used on INTERFACE. Put it on each type whose documents are stored.'],
    },
    'a reference to an interface': {
      sdl: 'interface Pet { id: ID! } type Cat implements Pet @document(container: "cats") { id: ID! friend: Pet @reference(at: "friendId") }',
      says: ['Cat.friend: @reference needs a document type, and Pet is not one. Return a type that has @document.'],
    },
    'a connection of a relation that has no pages': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reference(at: "posts") }`,
      says: ['Blog.posts: @reference cannot return a connection. Return Post or [Post!]!, or declare it @reverse, @joined or @bucketed.'],
    },
  },
  document: {
    "the container of Quire's own documents": {
      sdl: 'type Post @document(container: "quire") { id: ID! }',
      says: ['Post: the container "quire" is where Quire keeps its own documents. Store it in another one.'],
    },
    'a root field of your own with a generated name': {
      sdl: `${post} extend type Query { posts: [String!]! }`,
      says: ['Query.posts: Quire generates a field of this name for Post. Rename yours, or give Post another name with @document(plural: "…").'],
    },
    'a document type without an id': {
      sdl: 'type Post @document(container: "posts") { title: String! }',
      says: ['Post: a document type needs an id. Add the field id: ID!.'],
    },
    'an id that may be null': {
      sdl: 'type Post @document(container: "posts") { id: ID title: String! }',
      says: ['Post: a document type needs an id. Add the field id: ID!.'],
    },
    'a field that Quire adds to every document type': {
      sdl: 'type Post @document(container: "posts") { id: ID! nodeId: ID! }',
      says: ['Post.nodeId: Quire adds a field of this name to every document type. Remove or rename yours.'],
    },
    'two types in one container without a type': {
      sdl: `type Post @document(container: "all", type: "post") { id: ID! } type Tag @document(container: "all") { id: ID! }`,
      says: ['Post and Tag share the container all, but Tag has no type to tell its documents apart. Add type: "…" to its @document.'],
    },
    'two types in one container with the same type': {
      sdl: `type Post @document(container: "all", type: "x") { id: ID! } type Tag @document(container: "all", type: "x") { id: ID! }`,
      says: ['Post and Tag share the container all and the type "x". Give each a type of its own.'],
    },
    'two types in one container with different partition keys': {
      sdl: `type Post @document(container: "all", type: "post", partitionKey: "/postId") { id: ID! }
            type Tag @document(container: "all", type: "tag") { id: ID! }`,
      says: ['Post and Tag share the container all but have different partition keys, /postId and /id. Give both the same partitionKey.'],
    },
    'two types with the same root field': {
      sdl: `${post} type Posts @document(container: "p") { id: ID! }`,
      says: ['Posts: the root field posts is already taken by Post. Give Post another name with @document(plural: "…").'],
    },
    'a type with the plural of an earlier one': {
      sdl: 'type News @document(container: "n") { id: ID! } type NewsList @document(container: "l") { id: ID! }',
      says: ['NewsList: the root field newsList is already taken by News. Give News another name with @document(plural: "…").'],
    },
    'a plural that is the name of another type': {
      sdl: `${post} type Blog @document(container: "blogs", plural: "post") { id: ID! }`,
      says: ['Blog: the root field post is already taken by Post. Give Blog another name with @document(plural: "…").'],
    },
    'a plural whose mutations another type has': {
      sdl: `${post} type Blog @document(container: "blogs", plural: "Post") { id: ID! }`,
      says: ['create', 'update', 'upsert', 'delete'].map((verb) => `Blog: the mutation ${verb}Post is already taken by Post. Give Blog another name with @document(plural: "…").`),
    },
    'two types whose names differ in the first letter only': {
      sdl: `${post} type post @document(container: "p", plural: "others") { id: ID! }`,
      says: ['post: the root field post is already taken by Post. Rename the type post.'],
    },
    'a root field that every schema has': {
      sdl: 'type node @document(container: "nodes") { id: ID! } type Post @document(container: "posts", plural: "node") { id: ID! }',
      says: [
        'node: the root field node is already taken by Quire itself. Rename the type node.',
        'Post: the root field node is already taken by Quire itself. Give Post another name with @document(plural: "…").',
      ],
    },
    'a plural that GraphQL reserves': {
      sdl: 'type Post @document(container: "posts", plural: "__posts") { id: ID! }',
      says: ['Post: the plural "__posts" cannot be the name of a field. GraphQL reserves names that begin with __. Begin it with a letter.'],
    },
    'a type with a generated name': {
      sdl: `${post} input PostFilter { title: String } type PostEdge { at: Int } enum OrderDirection { UP }`,
      says: [
        'OrderDirection: Quire generates a type of this name. Rename yours.',
        'PostFilter: Quire generates a type of this name for Post. Rename yours.',
        'PostEdge: Quire generates a type of this name for Post. Rename yours.',
      ],
    },
    'two types with the same generated type': {
      sdl: `${post} type CreatePost { by: String } type Blog @document(container: "blogs") { id: ID! last: CreatePost }`,
      says: ['CreatePost: Quire generates the type CreatePostInput for CreatePost and for Post. Rename one of them.'],
    },
    'a type that every schema has': {
      sdl: `${post} type PageInfo { size: Int } enum OnDelete { KEEP }`,
      says: ['There can be only one type named "PageInfo". Quire defines it. Rename yours.', 'There can be only one type named "OnDelete". Quire defines it. Rename yours.'],
    },
    'a field that every input of a mutation has': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! ifMatch: String clientMutationId: String }
            type Log @document(container: "logs") { id: ID! clientMutation: Post @reference(at: "m") } type ClientMutationId @document(container: "ids") { id: ID! }`,
      says: [
        'Blog.ifMatch: the inputs of mutations have a field ifMatch of their own. Rename the field.',
        'Blog.clientMutationId: the inputs of mutations have a field clientMutationId of their own. Rename the field.',
        'Log.clientMutation: the inputs of mutations have a field clientMutationId of their own. Choose another name with @reference(singular: "…").',
        'ClientMutationId: the payloads of mutations have a field clientMutationId of their own. Rename the type.',
      ],
    },
    'a plural that is no name': {
      sdl: 'type Post @document(container: "posts", plural: "all posts") { id: ID! }',
      says: ['Post: the plural "all posts" cannot be the name of a field. Use letters, digits and _, and no digit first.'],
    },
  },
  PartitionKey: {
    'a partition key that has the name of an input': {
      sdl: `type Customer @document(container: "customers") { id: ID! }
            type Order @document(container: "orders", partitionKey: "/customerId") { id: ID! customer: Customer! @reference(at: "customer") }`,
      says: ['Order: the partition key is /customerId, but Order.customer is stored at "customer", and customerId is only its name in inputs. The document\'s own id would be stored there. Write @reference(at: "customerId"), or partitionKey: "/customer".'],
    },
    'a partition key that has the name of the input of a snapshot': {
      sdl: `type Customer @document(container: "customers") { id: ID! name: String }
            type Order @document(container: "orders", partitionKey: "/customerId") { id: ID! customer: Customer! @snapshot(at: "customer", fields: ["name"]) }`,
      says: ['Order: the partition key is /customerId, but Order.customer is stored at "customer", and customerId is only its name in inputs. The document\'s own id would be stored there. Write @snapshot(at: "customerId"), or partitionKey: "/customer/id".'],
    },
    'a partition key that is misspelt': {
      sdl: 'type Order @document(container: "orders", partitionKey: "/custmer") { id: ID! customer: String! }',
      says: ['Order: no field of Order is stored at /custmer, so it would hold the document\'s own id. Did you mean customer?'],
    },
    'a partition key that nothing fills': {
      sdl: 'type Order @document(container: "orders", partitionKey: "/region") { id: ID! total: Int }',
      says: ['Order: no field of Order is stored at /region, so it would hold the document\'s own id. Name a stored property, or write partitionKey: "/orderId" for the id.'],
    },
    'a path into an object that is misspelt': {
      sdl: `type Order @document(container: "orders", partitionKey: "/address/contry") { id: ID! address: Address! } type Address { country: String! }`,
      says: ['Order: the partition key is /address/contry, but no field of Address is stored at "contry". Did you mean country?'],
    },
    'a path into an object that no field stores': {
      sdl: 'type Order @document(container: "orders", partitionKey: "/adress/country") { id: ID! total: Int }',
      says: ['Order: the partition key is /adress/country, but no field of Order is stored at "adress". Name a stored property.'],
    },
    'a path that ends at an object': {
      sdl: `type Order @document(container: "orders", partitionKey: "/address") { id: ID! address: Address! } type Address { country: String! }`,
      says: ['Order: the partition key is /address, but Order.address is an object. Name one of its properties, like "/address/id".'],
    },
    'a path through text': {
      sdl: 'type Order @document(container: "orders", partitionKey: "/city/name") { id: ID! city: String! }',
      says: ['Order: the partition key is /city/name, but Order.city has no properties. Write "/city".'],
    },
    'a path to a list': {
      sdl: 'type Order @document(container: "orders", partitionKey: "/tags") { id: ID! tags: [String!]! @contained(max: 3) }',
      says: ['Order: the partition key is /tags, but Order.tags is a list. A partition key is one value.'],
    },
    'a path to a copied field': {
      sdl: `type Customer @document(container: "customers") { id: ID! name: String }
            type Order @document(container: "orders", partitionKey: "/customer/name") { id: ID! customer: Customer! @snapshot(at: "customer", fields: ["name"]) }`,
      says: ['Order: the partition key is /customer/name, but Order.customer is a snapshot, which changes with its source. Write "/customer/id".'],
    },
    'a partition key path without a slash': {
      sdl: 'type Post @document(container: "posts", partitionKey: "postId") { id: ID! }',
      says: ['Post: "postId" is not a partition key path. Begin it with a slash, like "/postId".'],
    },
    'a partition key of four levels': {
      sdl: 'type Post @document(container: "posts", partitionKey: ["/a", "/b", "/c", "/d"]) { id: ID! }',
      says: ['Post: the partition key has 4 paths. A hierarchical key has two or three.'],
    },
    'a partition key that is a number': {
      sdl: 'type Post @document(container: "posts", partitionKey: 7) { id: ID! }',
      says: ['Post: the partition key is neither a path nor an object. Write a path like "/postId", a list of paths, or { concat: [...] }.'],
    },
    'a synthetic key that joins nothing': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: [] }) { id: ID! }',
      says: ['Post: a synthetic partition key joins no properties. Name them, like { concat: ["symbol", "date"] }.'],
    },
    'a synthetic key with an unknown argument': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: ["id"], sufix: {} }) { id: ID! }',
      says: ['Post: a synthetic partition key has no sufix. It can have concat, suffix and at.'],
    },
    'a suffix with only one value': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: ["id"], suffix: { random: 1 } }) { id: ID! }',
      says: ['Post: the suffix of the partition key cannot be read. Write { random: 400 } or { hashOf: "id", spread: 400 }, with at least 2 suffixes.'],
    },
    'a synthetic key of a property that is not stored': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: ["day"] }) { id: ID! }',
      says: ['Post: the partition key uses day, but no field of Post is stored under that name. Name a stored property.'],
    },
    'a hierarchical key with two undeclared parts': {
      sdl: 'type Post @document(container: "posts", partitionKey: ["/tenant", "/postId"]) { id: ID! }',
      says: ['Post: no field is stored at /tenant and /postId. Only one part of a partition key may be undeclared; it holds the id. Declare the others.'],
    },
  },
  contained: {
    'an unbounded list of objects': {
      sdl: 'type Post @document(container: "posts") { id: ID! comments: [Comment!]! } type Comment { text: String! }',
      says: ['Post.comments: a list inside a document needs a max length. Add @contained(max: …), or declare it @bucketed.'],
    },
    'an unbounded list that is declared contained': {
      sdl: 'type Post @document(container: "posts") { id: ID! words: [String!]! @contained }',
      says: ['Post.words: a list inside a document needs a max length. Add @contained(max: …), or declare it @bucketed.'],
    },
    'a contained list with max 0': {
      sdl: 'type Post @document(container: "posts") { id: ID! words: [String!]! @contained(max: 0) }',
      says: ['Post.words: max is 0. Give max a number above 0.'],
    },
    'an interface': {
      sdl: `type Post @document(container: "posts") { id: ID! media: Media @contained cover: Cover! @contained } type Cover { media: [Media!]! @contained(max: 2) }
            interface Media { url: String! } type Film implements Media { url: String! }`,
      says: [
        'Post.media: Media is neither an object type nor a union of object types, so nothing says what is stored. Return an object type, or a union whose members have @shape(has: "…").',
        'Cover.media: Media is neither an object type nor a union of object types, so nothing says what is stored. Return an object type, or a union whose members have @shape(has: "…").',
      ],
    },
    'a list of lists': {
      sdl: `type Post @document(container: "posts") { id: ID! grid: [[Int!]!]! @contained(max: 4) media: Media }
            union Media = Film type Film @shape(has: "cuts") { cuts: [[Cut!]] @contained(max: 4) } type Cut { second: Int! }`,
      says: [
        'Post.grid: a document cannot store a list of lists. Declare a type for the inner list, like type Row { values: [Int!]! @contained(max: …) }, and return [Row!]!.',
        'Film.cuts: a document cannot store a list of lists. Declare a type for the inner list, like type Row { values: [Cut!]! @contained(max: …) }, and return [Row!]!.',
      ],
    },
    'a max on one object': {
      sdl: 'type Post @document(container: "posts") { id: ID! comment: Comment @contained(max: 1) } type Comment { text: String! }',
      says: ['Post.comment: max is for lists, and this is one object. Remove max.'],
    },
  },
  shape: {
    'a union whose shapes cannot be told apart': {
      sdl: `type Post @document(container: "posts") { id: ID! media: [Media!]! @contained(max: 3) }
            union Media = Photo | Film type Photo @shape(has: "photo") { photo: String! } type Film { film: String! }`,
      says: ['Media: nothing tells Film from the other shapes. Add @shape(has: "…") to Film.'],
    },
    'a shape that every JavaScript object seems to have': {
      sdl: `type Post @document(container: "posts") { id: ID! media: [Media!]! @contained(max: 3) }
            union Media = Photo | Film type Photo @shape(has: "photo") { photo: String! } type Film @shape(has: "constructor") { film: String! }`,
      says: ['Film: @shape(has: "constructor") names a property that every JavaScript object has. Name one that only objects of this shape have.'],
    },
  },
  stored: {
    'a property that every JavaScript object has': {
      sdl: 'type Car @document(container: "cars") { id: ID! team: String @stored(at: "constructor") }',
      says: ['Car.team: it is stored at "constructor", a property that every JavaScript object has. Store it under another name.'],
    },
    'a property that means every element of a list': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String! @stored(at: "*") }',
      says: ['Post.title: it is stored at "*", which stands for every element of a list. Store it under another name.'],
    },
    'a property that is the prototype of every object': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String! @stored(at: "__proto__") }',
      says: ['Post.title: it is stored at "__proto__", a property that every JavaScript object has. Store it under another name.'],
    },
    'a stored property without a name': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String! @stored }',
      says: ['Directive "@stored" argument "at" of type "String!" is required, but it was not provided.'],
    },
  },
  index: {
    'one field to order by': {
      sdl: 'type Post @document(container: "posts") @index(fields: ["title"]) { id: ID! title: String @indexed }',
      says: ['Post: @index(fields: ["title"]) orders by one field. Name several fields, or declare the field @indexed.'],
    },
    'a field without an index of its own': {
      sdl: 'type Post @document(container: "posts") @index(fields: ["title", "year DESC"]) { id: ID! title: String @indexed year: Int }',
      says: ['Post: @index(fields: ["title","year DESC"]) orders by year. Order by stored scalars and counts that are declared @indexed.'],
    },
  },
  indexed: {
    'an operator of every filter': {
      sdl: 'type Post @document(container: "posts") { id: ID! and: Int @indexed or: Int @indexed not: Int @indexed }',
      says: ['and', 'or', 'not'].map((name) => `Post.${name}: every filter has an operator called ${name}. Rename the field, or remove @indexed.`),
    },
    'two fields with the same name in orders': {
      sdl: 'type Post @document(container: "posts") { id: ID! wordCount: Int @indexed word_count: Int @indexed }',
      says: ['Post.word_count: orders call it WORD_COUNT, and Post.wordCount too. Rename one of them, or remove its @indexed.'],
    },
    'an index inside of an object that no document can be filtered by': {
      sdl: 'type Post @document(container: "posts") { id: ID! stops: Stops } type Stops { all: [Place!]! @contained(max: 3) } type Place { city: String @indexed }',
      says: ['Place.city: @indexed does nothing here, because no document can be filtered by Place: it has to be an object of the document, perhaps within another, or in a list of the document itself, and must not contain itself. A member of a union needs @shape(has: "…") with a required scalar of its own. Remove @indexed, or store the value as a field of the document.'],
    },
    'an index inside of an object on something else than a scalar': {
      sdl: 'type Post @document(container: "posts") { id: ID! place: Place } type Place { and: Int @indexed names: [String!]! @contained(max: 3) @indexed }',
      says: ['Place.and: every filter has an operator called and. Rename the field, or remove @indexed.', 'Place.names: inside of documents @indexed is for stored scalars and enums. Remove it.'],
    },
    'an index on something computed': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Blog.x") @indexed }`,
      says: [
        'Blog.posts: @indexed needs a stored value. Put it on a stored scalar, a list of scalars, a reference, a count or an aggregate, or on the fields of what is contained.',
        'Blog.posts: it is the reverse of Blog.x, which does not exist. Name a @reference or @snapshot as "Type.field".',
      ],
    },
  },
  unique: {
    'a unique list': {
      sdl: 'type Post @document(container: "posts") { id: ID! tags: [String!]! @contained(max: 3) @unique }',
      says: ['Post.tags: @unique needs one stored value. Put it on a stored scalar or enum that is not a list.'],
    },
    'a unique value inside of an object': {
      sdl: 'type Post @document(container: "posts") { id: ID! place: Place } type Place { city: String @unique }',
      says: ['Place.city: @unique does nothing here, because Place is not a document type. Remove it, or store the value as a field of the document.'],
    },
    'a unique id that determines the partition': {
      sdl: 'type Post @document(container: "posts") { id: ID! @unique }',
      says: ['Post.id: an id is unique already. Remove @unique.'],
    },
    'a root field of its name': {
      sdl: 'type Post @document(container: "posts") { id: ID! slug: String @unique } type PostBySlug @document(container: "others") { id: ID! }',
      says: ['PostBySlug: the root field postBySlug is already taken by Post. Rename the type PostBySlug.'],
    },
  },
  constraint: {
    'bounds of what has none': {
      sdl: 'type Post @document(container: "posts") { id: ID! closed: Boolean @constraint(min: 1) words: Int @constraint(maxLength: 3) title: String @constraint(minItems: 1) slug: String @constraint }',
      says: [
        'Post.closed: @constraint(min:) needs values that have an order, and the type is Boolean. Remove it.',
        'Post.words: @constraint(maxLength:) needs texts, and the type is Int. Remove it.',
        'Post.title: @constraint(minItems:) needs a list, and the type is String. Remove it.',
        'Post.slug: @constraint says nothing. Give a bound, such as min: 0, or remove it.',
      ],
    },
    'bounds that are none': {
      sdl: 'type Post @document(container: "posts") { id: ID! words: Int @constraint(min: 1.5) pages: Int @constraint(min: 3, max: 2) title: String @constraint(minLength: -1) slug: String @constraint(minLength: 3, maxLength: 2) }',
      says: [
        'Post.words: @constraint(min: 1.5) is no Int. Give one.',
        'Post.pages: @constraint has a min that is more than its max. No value meets both.',
        'Post.title: @constraint(minLength: -1) is less than 0. Give a number from 0.',
        'Post.slug: @constraint has a min that is more than its max. No value meets both.',
      ],
    },
    'a pattern that could take for ever': {
      sdl: 'type Post @document(container: "posts") { id: ID! slug: String @constraint(pattern: "(?=a)b") title: String @constraint(pattern: "(") }',
      says: [
        'Post.slug: @constraint(pattern: "(?=a)b") looks ahead or behind, or changes flags, which takes backtracking. Write it without.',
        'Post.title: @constraint(pattern: "(") is no regular expression: /(/u: Unterminated group.',
      ],
    },
    'bounds of what clients do not write': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! count: Int! @counted(relation: "posts") @constraint(min: 0) posts: [Post!]! @reference(at: "postIds", onDelete: SET_NULL) @constraint(minItems: 1) }`,
      says: [
        'Blog.count: @constraint needs a value that clients write, and this one is @counted. Remove it.',
        'Blog.posts: @constraint(minItems:) cannot hold with onDelete: SET_NULL, which takes entries out. Choose RESTRICT or CASCADE.',
      ],
    },
  },
  default: {
    'a default of another type': {
      sdl: 'type Post @document(container: "posts") { id: ID! words: Int @default(value: "many") closed: Boolean! @default(value: 1) place: Place @default(value: { city: "Oslo" }) } type Place { city: String }',
      says: [
        'Post.words: @default(value: "many") is no Int. Give one.',
        'Post.closed: @default(value: 1) is no Boolean. Give one.',
        'Post.place: @default needs a scalar, an enum or a list of them, and the type is Place. Remove it, or put it on the fields inside.',
      ],
    },
    'a default that its own bounds refuse': {
      sdl: 'type Post @document(container: "posts") { id: ID! words: Int @constraint(min: 1) @default(value: 0) }',
      says: ['Post.words: its default is 0, and its min is 1. Give at least 1.'],
    },
    'a default of what Quire fills': {
      sdl: 'type Post @document(container: "posts") { id: ID! @default(value: "1") shout: String @derived @default(value: "x") }',
      says: [
        'Post.id: Quire generates an id where none is given. Remove @default.',
        'Post.shout: @default needs a value that clients write, and this one is @derived. Remove it.',
        'Post.shout: @derived needs a function. Add derive: { Post: { shout: (document) => … } }.',
      ],
    },
  },
  subscribable: {
    'a type that is not stored as documents': {
      sdl: `${post} type Place @subscribable { city: String }`,
      says: ['Place: @subscribable is for types that are stored as documents. Add @document(container: "…"), or remove @subscribable.'],
    },
  },
  frozen: {
    'a value of a reference that does not exist': {
      sdl: `${post} type Line @document(container: "lines") { id: ID! post: Post @reference(at: "postId") title: String @frozen(of: "article.title") }`,
      says: ['Line.title: it freezes "article.title", which is not a reference of Line to one document and a scalar of that document. Write one of post.id, post.title.'],
    },
  },
  resolved: {
    'a resolved field that is also stored': {
      sdl: 'type Post @document(container: "posts") { id: ID! slug: String! @resolved @stored(at: "s") }',
      says: ['Post.slug: it is declared @resolved and @stored, but a field is stored in one way. Keep one of them.'],
    },
    'an index on a resolved field': {
      sdl: 'type Post @document(container: "posts") { id: ID! slug: String! @resolved @indexed }',
      says: ['Post.slug: @indexed needs a stored value. Put it on a stored scalar, a list of scalars, a reference, a count or an aggregate, or on the fields of what is contained.'],
    },
  },
  derived: {
    'a derived field without a function': {
      sdl: 'type Post @document(container: "posts") { id: ID! slug: String! @derived }',
      says: ['Post.slug: @derived needs a function. Add derive: { Post: { slug: (document) => … } }.'],
    },
  },
  reference: {
    'a list whose name in inputs is that of another field': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts") postIds: [ID!]! @contained(max: 9) }`,
      says: ['Blog.posts: inputs and filters call it postIds, and Blog.postIds too. Choose another name with @reference(singular: "…").'],
    },
    'a singular that is no name': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", singular: "a post") }`,
      says: ['Blog.posts: the singular "a post" cannot be the name of a field. Use letters, digits and _, and no digit first.'],
    },
    'a reference to a contained type': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: Tag @reference(at: "tagId") } type Tag { name: String! }',
      says: ['Post.tag: @reference needs a document type, and Tag is not one. Add @document to Tag, or declare the field @contained.'],
    },
    'a list of references with max 0': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", max: 0) }`,
      says: ['Blog.posts: max is 0. Give max a number above 0.'],
    },
    'onDelete: SET_NULL on a pointer that cannot be null': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post! @reference(at: "postId", onDelete: SET_NULL) }`,
      says: ['Blog.post: onDelete is SET_NULL, but the field cannot be null. Make it nullable, or write RESTRICT or CASCADE.'],
    },
    'an inverse of a field that does not exist': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", inverseOf: "Post.blog") }`,
      says: ['Blog.posts: it is the inverse of Post.blog, which does not exist. Name a @reference or @snapshot as "Type.field".'],
    },
    'an inverse of a field that is not a pointer': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", inverseOf: "Post.title") }`,
      says: ['Blog.posts: it is the inverse of Post.title, which is not a @reference or @snapshot that clients set on a document type. Name one that is.'],
    },
    'an inverse of a pointer at another type': {
      sdl: `type Post @document(container: "posts") { id: ID! next: Post @reference(at: "nextId") }
            type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", inverseOf: "Post.next") }`,
      says: ['Blog.posts: it is the inverse of Post.next, which points at Post and not at Blog. Name a pointer at Blog.'],
    },
    'an inverse that is one document': {
      sdl: `type Post @document(container: "posts") { id: ID! blog: Blog @reference(at: "blogId") }
            type Blog @document(container: "blogs") { id: ID! posts: Post @reference(at: "posts", inverseOf: "Post.blog") }`,
      says: ['Blog.posts: it is the inverse of Post.blog, so it lists Post documents. Return [Post!]!.'],
    },
  },
  snapshot: {
    'a snapshot of a contained type': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: Tag @snapshot(at: "tag", fields: ["name"]) } type Tag { name: String! }',
      says: ['Post.tag: @snapshot needs a document type, and Tag is not one. Add @document to Tag, or declare the field @contained.'],
    },
    'a snapshot of a field that the target lacks': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post @snapshot(at: "post", fields: ["name"]) }`,
      says: ['Blog.post: it copies name, but Post has no such field. Copy any of id, title.'],
    },
    'a snapshot of a relation': {
      sdl: `type Post @document(container: "posts") { id: ID! next: Post @reference(at: "nextId") }
            type Blog @document(container: "blogs") { id: ID! post: Post @snapshot(at: "post", fields: ["next"]) }`,
      says: ['Blog.post: it copies next, which is a relation of Post. Copy stored or derived fields only.'],
    },
    'a snapshot inside a contained type': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! entry: Entry @contained } type Entry { post: Post @snapshot(at: "post", fields: ["title"]) }`,
      says: ['Entry.post: a @snapshot has to be in a document type, and Entry is not one. Declare it @reference, with @frozen fields for what must stay as it is, or move it to a document type.'],
    },
  },
  reverse: {
    'a reverse of a field that does not exist': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.blog") }`,
      says: ['Blog.posts: it is the reverse of Post.blog, which does not exist. Name a @reference or @snapshot as "Type.field".'],
    },
    'a reverse of a field that is not a pointer': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.title") }`,
      says: ['Blog.posts: it is the reverse of Post.title, which is not a @reference or @snapshot of a document type. Name one that is.'],
    },
    'a reverse of a pointer at another type': {
      sdl: `type Post @document(container: "posts") { id: ID! next: Post @reference(at: "nextId") }
            type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.next") }`,
      says: ['Blog.posts: it is the reverse of Post.next, which points at Post and not at Blog. Name a pointer at Blog.'],
    },
    'a reverse that is a list': {
      sdl: `type Post @document(container: "posts") { id: ID! blog: Blog @reference(at: "blogId") }
            type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reverse(of: "Post.blog") }`,
      says: ['Blog.posts: a @reverse list of Post can grow without bound. Return PostConnection!.'],
    },
    'a reverse that is ordered by a field that is not stored': {
      sdl: `type Post @document(container: "posts") { id: ID! blog: Blog @reference(at: "blogId") }
            type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.blog", orderBy: "date") }`,
      says: ['Blog.posts: it is ordered by date, but Post has no stored scalar of that name. Order by a stored scalar.'],
    },
  },
  joined: {
    'a join through a type that is not a document type': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @joined(through: "Entry") }`,
      says: ['Blog.posts: it is joined through Entry, which is not a document type. Name the type of the joining documents.'],
    },
    'a join that is a list': {
      sdl: `${post} type Entry @document(container: "entries") { id: ID! }
            type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @joined(through: "Entry") }`,
      says: ['Blog.posts: a @joined list can grow without bound. Return PostConnection!.'],
    },
    'a join whose documents reference only one side': {
      sdl: `${post} type Entry @document(container: "entries") { id: ID! post: Post! @reference(at: "postId") }
            type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @joined(through: "Entry") }`,
      says: ['Blog.posts: Entry has no reference to Blog. Add one to Entry.'],
    },
    'a join with two references to the same side': {
      sdl: `type Follow @document(container: "follows") { id: ID! follower: User! @reference(at: "a") followed: User! @reference(at: "b") }
            type User @document(container: "users") { id: ID! follows: UserConnection! @joined(through: "Follow", from: "follower") }`,
      says: ['User.follows: Follow references User in follower and followed. Choose one with to: "…".'],
    },
  },
  bucketed: {
    'a bucketed list with a key that is not the partition key': {
      sdl: `type Post @document(container: "posts", type: "post") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post.comments: key is postId, which is not the partition key of the container posts. Declare Post with partitionKey: "/postId".'],
    },
    'a bucketed list that shares its container with an untyped document': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post and the buckets of Post.comments share the container posts, but Post has no type to tell its documents apart. Add type: "…" to its @document.'],
    },
    'a bucketed list that is not a connection': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! comments: [Comment!]! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post.comments: a @bucketed list can grow without bound. Return CommentConnection!.'],
    },
    'buckets of a document type': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! tags: TagConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "tags")
            } type Tag @document(container: "tags") { id: ID! }`,
      says: ['Post.tags: @bucketed is for contained types, and Tag is a document type. Remove its @document, or declare the field @reverse.'],
    },
    'a reference in buckets that cannot be null': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { by: Post! @reference(at: "byId") }`,
      says: ['Comment.by: bucketed lists are not searched when the target is deleted, so this reference may come to point at nothing. Make it nullable.'],
    },
    'a bucketed list with 0 recent entries': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 0, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post.comments: recent is 0 and size is 100. Give both a number above 0.'],
    },
    'buckets inside a contained type': {
      sdl: `type Post @document(container: "posts") { id: ID! thread: Thread @contained }
            type Thread { comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments") }
            type Comment { text: String! }`,
      says: ['Thread.comments: @bucketed needs a document that owns the buckets, and Thread is not a document type. Move the field to a document type.'],
    },
  },
  counted: {
    'a count of a relation that does not exist': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! count: Int! @counted(relation: "posts") posts2: [Post!]! @reference(at: "posts") }`,
      says: ['Blog.count: Blog has no list or connection posts to count. Name one of posts2.'],
    },
    'a count that is not a number': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! count: String! @counted(relation: "posts") posts: [Post!]! @reference(at: "posts") }`,
      says: ['Blog.count: a @counted field holds a number. Declare it Int!.'],
    },
  },
  aggregated: {
    'an aggregate of a relation that does not exist': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! sum: Float @aggregated(relation: "notes", field: "n", function: SUM) }`,
      says: ['Blog.sum: Blog has no list or connection notes to aggregate. Name one with relation.'],
    },
    'an aggregate of one document': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! n: Int main: Blog @reference(at: "mainId") sum: Float @aggregated(relation: "main", field: "n", function: SUM) }',
      says: ['Blog.sum: main is not a list. Name a list or connection with relation.'],
    },
    'an aggregate of documents whose changes are not followed': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! n: Int more: [Blog!]! @reference(at: "more") sum: Float @aggregated(relation: "more", field: "n", function: SUM) }',
      says: ['Blog.sum: Blog.more is stored by @reference, whose documents are not followed. Aggregate a @reverse list, or one with inverseOf.'],
    },
    'an aggregate of a field that is not copied': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! n: Int m: Int more: [Blog!]! @snapshot(at: "more", fields: ["m"]) sum: Float @aggregated(relation: "more", field: "n", function: SUM) }',
      says: ['Blog.sum: Blog.more does not copy n. Add it to its fields.'],
    },
    'an aggregate of documents behind joining documents': {
      sdl: `type Blog @document(container: "blogs") { id: ID! tags: TagConnection! @joined(through: "Link") sum: Float @aggregated(relation: "tags", field: "n", function: SUM) }
            type Tag @document(container: "tags") { id: ID! n: Int }
            type Link @document(container: "links") { id: ID! blog: Blog @reference(at: "blogId") tag: Tag @reference(at: "tagId") }`,
      says: ['Blog.sum: Blog.tags leads through Link documents, and values behind those are not followed. Aggregate a @reverse list of Link, with the value in it.'],
    },
    'an aggregate of a field that is not there': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! notes: [Note!]! @contained(max: 9) sum: Float @aggregated(relation: "notes", field: "size", function: SUM) } type Note { n: Int }',
      says: ['Blog.sum: Note has no stored number or text size. Name a number, a text or another scalar that has an order with field.'],
    },
    'a sum of texts': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! notes: [Note!]! @contained(max: 9) sum: Float @aggregated(relation: "notes", field: "text", function: SUM) } type Note { text: String }',
      says: ['Blog.sum: Note.text is a text, which has no sum. Name a number, or use MIN or MAX.'],
    },
    'an aggregate of another type than its values': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! notes: [Note!]! @contained(max: 9) last: Int @aggregated(relation: "notes", field: "text", function: MAX) } type Note { text: String }',
      says: ['Blog.last: it holds a String. Declare it String.'],
    },
    'an average that is never null': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! notes: [Note!]! @contained(max: 9) avg: Float! @aggregated(relation: "notes", field: "n", function: AVG) } type Note { n: Int }',
      says: ['Blog.avg: without values there is no AVG, and it is null. Declare it Float, without "!".'],
    },
  },
  readable: {
    'a rule that allows no one': {
      sdl: 'type Post @document(container: "posts") @readable { id: ID! }',
      says: ['Post: @readable allows no one. Add by, roles or owner.'],
    },
    'a rule with an empty list of roles': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String @readable(roles: []) }',
      says: ['Post.title: @readable allows no one. Add by, roles or owner.'],
    },
    'a role with no name': {
      sdl: 'type Post @document(container: "posts") @readable(roles: ["editor", ""]) { id: ID! }',
      says: [`Post: @readable has an empty role. Write the role's name as it is in tokens.`],
    },
    'everyone, and roles': {
      sdl: 'type Post @document(container: "posts") @readable(by: PUBLIC, roles: ["editor"]) { id: ID! }',
      says: ['Post: @readable(by: PUBLIC) already allows everyone. Remove roles and owner, or remove by.'],
    },
    'everyone with a token, and an owner': {
      sdl: 'type Post @document(container: "posts") @readable(by: SIGNED_IN, owner: "writer") { id: ID! writer: String }',
      says: ['Post: @readable(by: SIGNED_IN) already allows everyone with a token. Remove roles and owner, or remove by.'],
    },
    'a value of by that does not exist': {
      sdl: 'type Post @document(container: "posts") @readable(by: ANYONE) { id: ID! }',
      says: ['@readable: Argument "by" has invalid value ANYONE.'],
    },
    'an owner in a field that does not exist': {
      sdl: 'type Post @document(container: "posts") @readable(owner: "writr") { id: ID! title: String! year: Int writer: Person @reference(at: "w") } type Person @document(container: "people") { id: ID! }',
      says: ['Post: @readable has the owner writr, but Post has no such field. Name a field that holds one id: id, title, writer.'],
    },
    'an owner in a field that holds no id': {
      sdl: 'type Post @document(container: "posts") @readable(owner: "year") { id: ID! year: Int }',
      says: ['Post: @readable has the owner year, which does not hold one id. Name a field that holds one id: id.'],
    },
    'an owner in a list': {
      sdl: 'type Post @document(container: "posts") @readable(owner: "writers") { id: ID! writers: [Person!]! @reference(at: "w") } type Person @document(container: "people") { id: ID! }',
      says: ['Post: @readable has the owner writers, which does not hold one id. Name a field that holds one id: id.'],
    },
    'an owner on a contained type': {
      sdl: 'type Post @document(container: "posts") { id: ID! place: Place } type Place @readable(owner: "city") { city: String! }',
      says: ['Place: owner is for document types, and Place is part of other documents. Put owner on the types that contain it.'],
    },
    'an owner on a field': {
      sdl: 'type Post @document(container: "posts") { id: ID! writer: String title: String @readable(owner: "writer") }',
      says: ['Post.title: owner applies to whole documents, not to a field. Use roles here, or move the field to a document type of its own.'],
    },
    'a rule on an id': {
      sdl: 'type Post @document(container: "posts") { id: ID! @readable(by: SIGNED_IN) }',
      says: ['Post.id: an id cannot have a rule of its own, because references and lookups need it. Put the rule on the type.'],
    },
    'a list ordered by a field that not everyone may read': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.blog", orderBy: "clicks") } type Post @document(container: "posts") { id: ID! clicks: Int @readable(roles: ["editor"]) blog: Blog @reference(at: "blogId") }',
      says: ['Blog.posts: it is ordered by clicks, which has a @readable rule, and cursors would reveal the value. Order by another field.'],
    },
    'a join to a type with an owner, through documents that everyone may count': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @joined(through: "Entry") } type Post @document(container: "posts") @readable(owner: "writer") { id: ID! writer: String } type Entry @document(container: "entries", plural: "entries") { id: ID! blog: Blog @reference(at: "b") post: Post @reference(at: "p") }',
      says: ['Blog.posts: viewers see only their own Post documents, but can count the Entry documents of all. Declare Entry @readable(owner: …) too.'],
    },
    'a rule on a mutation payload': {
      sdl: `${post} extend type Mutation { hide(id: ID!): HidePayload } type HidePayload @readable(by: SIGNED_IN) { post: Post @readable(by: SIGNED_IN) }`,
      says: ['HidePayload: @readable is for types that hold data. Put it on the types of its fields.', 'HidePayload.post: @readable is for types that hold data, and HidePayload holds none of its own. Put it on the type of the field.'],
    },
    'a mutation that is declared readable': {
      sdl: `${post} extend type Mutation { hide(id: ID!): Boolean @readable(by: SIGNED_IN) }`,
      says: ['Mutation.hide: @readable does not apply to mutations. Declare who may call it with @writable.'],
    },
    'an owner on a root field': {
      sdl: `${post} extend type Query { best: Post @readable(owner: "writer") }`,
      says: ['Query.best: owner does not apply to root fields. Put it on the type that the field returns.'],
    },
  },
  writable: {
    'a rule that allows no one': {
      sdl: 'type Post @document(container: "posts") @writable { id: ID! }',
      says: ['Post: @writable allows no one. Add by, roles or owner.'],
    },
    'a writable field of a document type': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String @writable(roles: ["editor"]) }',
      says: ['Post.title: documents are written as a whole, so a field cannot be @writable. Put @writable on Post or on a field of Mutation.'],
    },
    'a writable contained type': {
      sdl: 'type Post @document(container: "posts") { id: ID! place: Place } type Place @writable(roles: ["editor"]) { city: String! }',
      says: ['Place: @writable is for document types, and Place is part of other documents. Put the rule on the types that contain it.'],
    },
    'a writable root field that only reads': {
      sdl: `${post} extend type Query { best: Post @writable(by: PUBLIC) }`,
      says: ['Query.best: @writable is for mutations, and this field only reads. Declare who may read it with @readable.'],
    },
    'a mutation with an owner that is not a field of a type': {
      sdl: `${post} extend type Mutation { hide(id: ID!): Boolean @writable(owner: "writer") }`,
      says: [`Mutation.hide: the owner "writer" is not a field of a document type. Name the field that holds the owner's id, as "Type.field".`],
    },
    'a mutation with an owner in a field that does not exist': {
      sdl: `${post} extend type Mutation { hide(id: ID!): Boolean @writable(owner: "Post.writer") }`,
      says: ['Mutation.hide: @writable has the owner writer, but Post has no such field. Name a field that holds one id: id, title.'],
    },
    'a rule on the type Mutation': {
      sdl: `${post} extend type Mutation @writable(by: PUBLIC) { hide(id: ID!): Boolean }`,
      says: ['Mutation: @writable is for types that hold data. Put @writable on the fields of Mutation.'],
    },
  },
}

// Every wrong declaration, by the word that is used wrongly: a schema, and exactly what is said about it.
// The reference of directives shows them too.

export const post = 'type Post @document(container: "posts") { id: ID! title: String! }'

export interface Mistake {
  readonly sdl: string
  readonly says: readonly string[]
}

/** Under `any` is what no single word is to blame for. */
export const mistakes: { readonly [word: string]: { readonly [wrong: string]: Mistake } } = {
  any: {
    'no document type at all': {
      sdl: 'type Post { id: ID! }',
      says: ['There is no document type. Add @document to a type whose documents are to be served.'],
    },
    'a type that does not exist': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: Tagg @reference(at: "tagId") }',
      says: ['Unknown type "Tagg".'],
    },
    'a directive that does not exist': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: String @refers }',
      says: ['Unknown directive "@refers". Did you mean "@reverse"?'],
    },
    'documents with no word on how they are found': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post }`,
      says: ['Blog.post returns Post documents and does not say how they are found. Add @reference, @snapshot, @reverse or @joined.'],
    },
    'a value stored in two ways': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post @reference(at: "a") @snapshot(at: "b", fields: []) }`,
      says: ['Blog.post is declared @reference and @snapshot. A value is stored in one way: keep one of them.'],
    },
    'a field with a name that every object has': {
      sdl: 'type Car @document(container: "cars") { id: ID! constructor: String engine: Engine } type Engine { toString: Int }',
      says: [
        'Car.constructor has a name that every object of JavaScript has already. Call it something else.',
        'Engine.toString has a name that every object of JavaScript has already. Call it something else.',
      ],
    },
    'a connection that is not paged': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reference(at: "posts") }`,
      says: ['Blog.posts is a connection, and @reference does not page. Return Post or [Post!]!, or declare it @reverse, @joined or @bucketed.'],
    },
  },
  document: {
    'a document type without an id': {
      sdl: 'type Post @document(container: "posts") { title: String! }',
      says: ['Post is a document type, so it needs the field id: ID!.'],
    },
    'an id that may be null': {
      sdl: 'type Post @document(container: "posts") { id: ID title: String! }',
      says: ['Post is a document type, so it needs the field id: ID!.'],
    },
    'a field that Quire gives every document type': {
      sdl: 'type Post @document(container: "posts") { id: ID! nodeId: ID! }',
      says: ['Post.nodeId is given to every document type by Quire. Remove the field or rename it.'],
    },
    'two types in one container without a type': {
      sdl: `type Post @document(container: "all", type: "post") { id: ID! } type Tag @document(container: "all") { id: ID! }`,
      says: ['Post and Tag share the container all, and Tag has no type. Add type: "…" to tell their documents apart.'],
    },
    'two types in one container with the same type': {
      sdl: `type Post @document(container: "all", type: "x") { id: ID! } type Tag @document(container: "all", type: "x") { id: ID! }`,
      says: ['Post and Tag share the container all and the type "x". Give each its own.'],
    },
    'two types in one container with different partition keys': {
      sdl: `type Post @document(container: "all", type: "post", partitionKey: "/postId") { id: ID! }
            type Tag @document(container: "all", type: "tag") { id: ID! }`,
      says: ['Post and Tag share the container all, which has one partition key: /postId and /id have to be the same.'],
    },
    'two types with the same root field': {
      sdl: `${post} type Posts @document(container: "p") { id: ID! }`,
      says: ['Posts would have the root field posts, which is taken by Post. Say @document(plural: "…").'],
    },
  },
  PartitionKey: {
    'a partition key path without a slash': {
      sdl: 'type Post @document(container: "posts", partitionKey: "postId") { id: ID! }',
      says: ['Post: "postId" is not a partition key path; write it with a slash, like "/postId".'],
    },
    'a partition key of four levels': {
      sdl: 'type Post @document(container: "posts", partitionKey: ["/a", "/b", "/c", "/d"]) { id: ID! }',
      says: ['Post: a hierarchical partition key has two or three paths, and 4 are given.'],
    },
    'a partition key that is a number': {
      sdl: 'type Post @document(container: "posts", partitionKey: 7) { id: ID! }',
      says: ['Post: the partition key has to be a path like "/postId", a list of paths, or { concat: [...] }.'],
    },
    'a synthetic key that joins nothing': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: [] }) { id: ID! }',
      says: ['Post: a synthetic partition key joins properties; name them, like { concat: ["symbol", "date"] }.'],
    },
    'a synthetic key with an unknown word': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: ["id"], sufix: {} }) { id: ID! }',
      says: ['Post: a synthetic partition key knows concat, suffix and at, not sufix.'],
    },
    'a suffix that spreads over one': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: ["id"], suffix: { random: 1 } }) { id: ID! }',
      says: ['Post: a suffix is { random: 400 } or { hashOf: "id", spread: 400 }, with a spread of at least 2.'],
    },
    'a synthetic key of a property that is not stored': {
      sdl: 'type Post @document(container: "posts", partitionKey: { concat: ["day"] }) { id: ID! }',
      says: ['Post: the partition key uses day, which no field of Post is stored as. Name a stored property.'],
    },
    'a hierarchical key with two undeclared parts': {
      sdl: 'type Post @document(container: "posts", partitionKey: ["/tenant", "/postId"]) { id: ID! }',
      says: ['Post: no field is stored at /tenant and /postId. At most one part of a partition key can be left out, and holds the id: declare the others.'],
    },
  },
  contained: {
    'an unbounded list of objects': {
      sdl: 'type Post @document(container: "posts") { id: ID! comments: [Comment!]! } type Comment { text: String! }',
      says: ['Post.comments is a list inside its document with no bound. Say how long it can get with @contained(max: …), or declare it @bucketed.'],
    },
    'an unbounded list that says it is contained': {
      sdl: 'type Post @document(container: "posts") { id: ID! words: [String!]! @contained }',
      says: ['Post.words is a list inside its document with no bound. Say how long it can get with @contained(max: …), or declare it @bucketed.'],
    },
    'a contained list of no length': {
      sdl: 'type Post @document(container: "posts") { id: ID! words: [String!]! @contained(max: 0) }',
      says: ['Post.words may hold 0 entries. Give max a number above 0.'],
    },
    'a max on one object': {
      sdl: 'type Post @document(container: "posts") { id: ID! comment: Comment @contained(max: 1) } type Comment { text: String! }',
      says: ['Post.comment is one object and not a list, so it cannot have a max. Remove max.'],
    },
  },
  shape: {
    'a union whose shapes cannot be told apart': {
      sdl: `type Post @document(container: "posts") { id: ID! media: [Media!]! @contained(max: 3) }
            union Media = Photo | Film type Photo @shape(has: "photo") { photo: String! } type Film { film: String! }`,
      says: ['Media can be Film, and nothing tells that shape from the others. Add @shape(has: "…") to Film.'],
    },
  },
  stored: {
    'a property that every object has': {
      sdl: 'type Car @document(container: "cars") { id: ID! team: String @stored(at: "constructor") }',
      says: ['Car.team is stored at "constructor", which every object of JavaScript has already. Store it under another name.'],
    },
    'a property that means every element of a list': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String! @stored(at: "*") }',
      says: ['Post.title is stored at "*", which means every element of a list. Store it under another name.'],
    },
    'a property that is the prototype of every object': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String! @stored(at: "__proto__") }',
      says: ['Post.title is stored at "__proto__", which every object of JavaScript has already. Store it under another name.'],
    },
    'a name that is not said': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String! @stored }',
      says: ['Directive "@stored" argument "at" of type "String!" is required, but it was not provided.'],
    },
  },
  indexed: {
    'an index on something computed': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Blog.x") @indexed }`,
      says: [
        'Blog.posts is @indexed, and a store can only index what it stores. Put @indexed on a stored scalar or on a reference.',
        'Blog.posts is the reverse of Blog.x, which does not exist. Name a @reference or @snapshot as "Type.field".',
      ],
    },
  },
  derived: {
    'a derived field without a function': {
      sdl: 'type Post @document(container: "posts") { id: ID! slug: String! @derived }',
      says: ['Post.slug is @derived, and there is no function for it. Pass one: derive: { Post: { slug: (document) => … } }.'],
    },
  },
  reference: {
    'a reference to something without documents': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: Tag @reference(at: "tagId") } type Tag { name: String! }',
      says: ['Post.tag is declared @reference, and Tag is not a document type. Add @document to Tag, or declare the field @contained.'],
    },
    'a reference that may hold nothing': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", max: 0) }`,
      says: ['Blog.posts has max: 0. Give max a number above 0.'],
    },
    'a pointer that may not be null and is to be emptied': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post! @reference(at: "postId", onDelete: SET_NULL) }`,
      says: ['Blog.post may not be null, so it cannot be declared onDelete: SET_NULL. Make it nullable, or write RESTRICT or CASCADE.'],
    },
    'an inverse of nothing': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", inverseOf: "Post.blog") }`,
      says: ['Blog.posts is the inverse of Post.blog, which does not exist. Name a @reference or @snapshot as "Type.field".'],
    },
    'an inverse of something that points nowhere': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", inverseOf: "Post.title") }`,
      says: ['Blog.posts is the inverse of Post.title, which is not a @reference or @snapshot that clients set on a document type. Name one that is.'],
    },
    'an inverse of something that points elsewhere': {
      sdl: `type Post @document(container: "posts") { id: ID! next: Post @reference(at: "nextId") }
            type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reference(at: "posts", inverseOf: "Post.next") }`,
      says: ['Blog.posts is the inverse of Post.next, which points at Post and not at Blog.'],
    },
    'an inverse that is one document': {
      sdl: `type Post @document(container: "posts") { id: ID! blog: Blog @reference(at: "blogId") }
            type Blog @document(container: "blogs") { id: ID! posts: Post @reference(at: "posts", inverseOf: "Post.blog") }`,
      says: ['Blog.posts is the inverse of Post.blog, so it lists Post documents. Return [Post!]!.'],
    },
  },
  snapshot: {
    'a snapshot of something without documents': {
      sdl: 'type Post @document(container: "posts") { id: ID! tag: Tag @snapshot(at: "tag", fields: ["name"]) } type Tag { name: String! }',
      says: ['Post.tag is declared @snapshot, and Tag is not a document type. Add @document to Tag, or declare the field @contained.'],
    },
    'a snapshot of a field that the target lacks': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! post: Post @snapshot(at: "post", fields: ["name"]) }`,
      says: ['Blog.post copies name, and Post has no such field. It has id, title.'],
    },
    'a snapshot of a relation': {
      sdl: `type Post @document(container: "posts") { id: ID! next: Post @reference(at: "nextId") }
            type Blog @document(container: "blogs") { id: ID! post: Post @snapshot(at: "post", fields: ["next"]) }`,
      says: ['Blog.post copies next, which is itself a relation of Post. Copy stored or derived fields only.'],
    },
    'a snapshot inside something without documents': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! entry: Entry @contained } type Entry { post: Post @snapshot(at: "post", fields: ["title"]) }`,
      says: ['Entry.post is a snapshot inside Entry, which is not a document type. Declare it @reference, or move it to a document type.'],
    },
  },
  reverse: {
    'a reverse of nothing': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.blog") }`,
      says: ['Blog.posts is the reverse of Post.blog, which does not exist. Name a @reference or @snapshot as "Type.field".'],
    },
    'a reverse of something that points nowhere': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.title") }`,
      says: ['Blog.posts is the reverse of Post.title, which is not a @reference or @snapshot of a document type. Name one that is.'],
    },
    'a reverse of something that points elsewhere': {
      sdl: `type Post @document(container: "posts") { id: ID! next: Post @reference(at: "nextId") }
            type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.next") }`,
      says: ['Blog.posts is the reverse of Post.next, which points at Post and not at Blog.'],
    },
    'a reverse that is a list': {
      sdl: `type Post @document(container: "posts") { id: ID! blog: Blog @reference(at: "blogId") }
            type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @reverse(of: "Post.blog") }`,
      says: ['Blog.posts finds any number of Post. Return PostConnection!.'],
    },
    'a reverse in an order that is not stored': {
      sdl: `type Post @document(container: "posts") { id: ID! blog: Blog @reference(at: "blogId") }
            type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.blog", orderBy: "date") }`,
      says: ['Blog.posts is ordered by date, and Post has no stored scalar of that name.'],
    },
  },
  joined: {
    'a join through something without documents': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @joined(through: "Entry") }`,
      says: ['Blog.posts is joined through Entry, which is not a document type. Name the type of the joining documents.'],
    },
    'a join that is a list': {
      sdl: `${post} type Entry @document(container: "entries") { id: ID! }
            type Blog @document(container: "blogs") { id: ID! posts: [Post!]! @joined(through: "Entry") }`,
      says: ['Blog.posts can grow without bound. Return PostConnection! instead of a list.'],
    },
    'a join whose documents reference only one side': {
      sdl: `${post} type Entry @document(container: "entries") { id: ID! post: Post! @reference(at: "postId") }
            type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @joined(through: "Entry") }`,
      says: ['Blog.posts: Entry has no reference to Blog. Add one to Entry.'],
    },
    'a join with two ways to the same side': {
      sdl: `type Follow @document(container: "follows") { id: ID! follower: User! @reference(at: "a") followed: User! @reference(at: "b") }
            type User @document(container: "users") { id: ID! follows: UserConnection! @joined(through: "Follow", from: "follower") }`,
      says: ['User.follows: Follow references User in follower and followed. Say which one with to: "…".'],
    },
  },
  bucketed: {
    'a bucketed list without the key to find its buckets': {
      sdl: `type Post @document(container: "posts", type: "post") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post.comments: buckets are found by postId, which has to be what the container posts is partitioned by. Declare Post with partitionKey: "/postId".'],
    },
    'a bucketed list that shares its container with an untyped document': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post and the buckets of Post.comments share the container posts, and Post has no type. Add type: "…" to tell their documents apart.'],
    },
    'a bucketed list that is not paged': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! comments: [Comment!]! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post.comments can grow without bound. Return CommentConnection! instead of a list.'],
    },
    'buckets of documents': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! tags: TagConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "tags")
            } type Tag @document(container: "tags") { id: ID! }`,
      says: ['Post.tags keeps Tag in buckets, and Tag has documents of its own. Remove its @document, or declare the field @reverse.'],
    },
    'a reference in buckets that may not be lost': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments")
            } type Comment { by: Post! @reference(at: "byId") }`,
      says: ['Comment.by is in a bucketed list, which is not searched when the target is deleted. Make it nullable.'],
    },
    'buckets of no size': {
      sdl: `type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
              id: ID! comments: CommentConnection! @bucketed(at: "recent", recent: 0, size: 100, key: "postId", type: "comments")
            } type Comment { text: String! }`,
      says: ['Post.comments keeps 0 recent entries and 100 in a bucket. Give both a number above 0.'],
    },
    'buckets inside something without documents': {
      sdl: `type Post @document(container: "posts") { id: ID! thread: Thread @contained }
            type Thread { comments: CommentConnection! @bucketed(at: "recent", recent: 3, size: 100, key: "postId", type: "comments") }
            type Comment { text: String! }`,
      says: ['Thread.comments is declared @bucketed, and Thread is not a document type, so its buckets would have no owner. Move the field to a document type.'],
    },
  },
  counted: {
    'a count of nothing': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! count: Int! @counted(relation: "posts") posts2: [Post!]! @reference(at: "posts") }`,
      says: ['Blog.count counts posts, which is no list or connection of Blog. Name one of posts2.'],
    },
    'a count that is not a number': {
      sdl: `${post} type Blog @document(container: "blogs") { id: ID! count: String! @counted(relation: "posts") posts: [Post!]! @reference(at: "posts") }`,
      says: ['Blog.count is declared @counted, so it has to be an Int!.'],
    },
  },
  readable: {
    'a rule that does not say by whom': {
      sdl: 'type Post @document(container: "posts") @readable { id: ID! }',
      says: ['Post: @readable does not say by whom. Give by, roles or owner.'],
    },
    'a rule with an empty list of roles': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String @readable(roles: []) }',
      says: ['Post.title: @readable does not say by whom. Give by, roles or owner.'],
    },
    'a role with no name': {
      sdl: 'type Post @document(container: "posts") @readable(roles: ["editor", ""]) { id: ID! }',
      says: ['Post: @readable names a role with no name. Write the name as tokens have it.'],
    },
    'everyone, and more': {
      sdl: 'type Post @document(container: "posts") @readable(by: PUBLIC, roles: ["editor"]) { id: ID! }',
      says: ['Post: @readable(by: PUBLIC) is for everyone, so roles and owner say nothing more. Leave them out, or by.'],
    },
    'everyone with a token, and more': {
      sdl: 'type Post @document(container: "posts") @readable(by: SIGNED_IN, owner: "writer") { id: ID! writer: String }',
      says: ['Post: @readable(by: SIGNED_IN) is for everyone with a token, so roles and owner say nothing more. Leave them out, or by.'],
    },
    'a word for everyone that does not exist': {
      sdl: 'type Post @document(container: "posts") @readable(by: ANYONE) { id: ID! }',
      says: ['@readable: Argument "by" has invalid value ANYONE.'],
    },
    'an owner in a field that does not exist': {
      sdl: 'type Post @document(container: "posts") @readable(owner: "writr") { id: ID! title: String! year: Int writer: Person @reference(at: "w") } type Person @document(container: "people", plural: "people") { id: ID! }',
      says: ['Post: @readable names the owner writr, and Post has no such field. Name a field that holds one id: id, title, writer.'],
    },
    'an owner in a field that holds no id': {
      sdl: 'type Post @document(container: "posts") @readable(owner: "year") { id: ID! year: Int }',
      says: ['Post: @readable names the owner year, which does not hold the id of anyone. Name a field that holds one id: id.'],
    },
    'an owner in a list': {
      sdl: 'type Post @document(container: "posts") @readable(owner: "writers") { id: ID! writers: [Person!]! @reference(at: "w") } type Person @document(container: "people", plural: "people") { id: ID! }',
      says: ['Post: @readable names the owner writers, which does not hold the id of anyone. Name a field that holds one id: id.'],
    },
    'an owner of what is contained': {
      sdl: 'type Post @document(container: "posts") { id: ID! place: Place } type Place @readable(owner: "city") { city: String! }',
      says: ['Place is no document type, so nobody owns one by itself. Put owner on the type whose documents it is in.'],
    },
    'an owner of a field': {
      sdl: 'type Post @document(container: "posts") { id: ID! writer: String title: String @readable(owner: "writer") }',
      says: ['Post.title: owner goes on a type, and decides about whole documents. Give the field roles, or move it to a type of its own.'],
    },
    'a rule on an id': {
      sdl: 'type Post @document(container: "posts") { id: ID! @readable(by: SIGNED_IN) }',
      says: ['Post.id: documents are found and pointed at by their id, so it can have no rule of its own. Put the rule on the type.'],
    },
    'a list in the order of what not everyone may read': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @reverse(of: "Post.blog", orderBy: "clicks") } type Post @document(container: "posts") { id: ID! clicks: Int @readable(roles: ["editor"]) blog: Blog @reference(at: "blogId") }',
      says: ['Blog.posts is ordered by clicks, which not everyone may read, and cursors tell what a list is ordered by. Order by something else.'],
    },
    'joins that everyone may count to what has an owner': {
      sdl: 'type Blog @document(container: "blogs") { id: ID! posts: PostConnection! @joined(through: "Entry") } type Post @document(container: "posts") @readable(owner: "writer") { id: ID! writer: String } type Entry @document(container: "entries", plural: "entries") { id: ID! blog: Blog @reference(at: "b") post: Post @reference(at: "p") }',
      says: ['Blog.posts leads to Post, which has an owner, and the Entry documents that lead there can be counted by everyone. Declare Entry @readable(owner: …) too.'],
    },
    'a rule on what only carries others': {
      sdl: `${post} extend type Mutation { hide(id: ID!): HidePayload } type HidePayload @readable(by: SIGNED_IN) { post: Post @readable(by: SIGNED_IN) }`,
      says: ['HidePayload: @readable goes on a type that holds data, and this one only carries others. Put it on the types that it carries.', 'HidePayload.post: @readable goes on a field of a type that holds data, and HidePayload only carries others.'],
    },
    'a mutation that is to be read': {
      sdl: `${post} extend type Mutation { hide(id: ID!): Boolean @readable(by: SIGNED_IN) }`,
      says: ['Mutation.hide: who may call a mutation is said with @writable.'],
    },
    'an owner of a root field': {
      sdl: `${post} extend type Query { best: Post @readable(owner: "writer") }`,
      says: ['Query.best: owner goes on a type. Whatever is found here is under the rule of its own type.'],
    },
  },
  writable: {
    'a rule that does not say by whom': {
      sdl: 'type Post @document(container: "posts") @writable { id: ID! }',
      says: ['Post: @writable does not say by whom. Give by, roles or owner.'],
    },
    'a field by itself': {
      sdl: 'type Post @document(container: "posts") { id: ID! title: String @writable(roles: ["editor"]) }',
      says: ['Post.title: @writable goes on a type or on a field of Mutation. Documents are written as a whole.'],
    },
    'what is contained by itself': {
      sdl: 'type Post @document(container: "posts") { id: ID! place: Place } type Place @writable(roles: ["editor"]) { city: String! }',
      says: ['Place: @writable goes on a document type, and Place is written with the document that it is in. Put the rule there.'],
    },
    'a root field that writes nothing': {
      sdl: `${post} extend type Query { best: Post @writable(by: PUBLIC) }`,
      says: ['Query.best writes nothing. Say who may ask for it with @readable.'],
    },
    'a mutation whose owner is no field of a type': {
      sdl: `${post} extend type Mutation { hide(id: ID!): Boolean @writable(owner: "writer") }`,
      says: ['Mutation.hide: the owner is "writer". Name the field that says whose a written document is, as "Type.field".'],
    },
    'a mutation whose owner is in a field that does not exist': {
      sdl: `${post} extend type Mutation { hide(id: ID!): Boolean @writable(owner: "Post.writer") }`,
      says: ['Mutation.hide: @writable names the owner writer, and Post has no such field. Name a field that holds one id: id, title.'],
    },
    'all mutations at once': {
      sdl: `${post} extend type Mutation @writable(by: PUBLIC) { hide(id: ID!): Boolean }`,
      says: ['Mutation: @writable goes on a type that holds data. Put @writable on the fields of Mutation.'],
    },
  },
}

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
      says: ['Post.comment is one object and not a list, so it cannot have a max. Remove it.'],
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
      says: ['Blog.posts may hold 0 ids. Give max a number above 0.'],
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
      says: ['Blog.posts is the inverse of Post.title, which is no @reference or @snapshot that a document type is given. Name one that is.'],
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
      says: ['Blog.posts is the reverse of Post.title, which is no @reference or @snapshot of a document type. Name one that is.'],
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
      says: ['Comment.by is in a list that grows for ever, where nobody looks when its target is deleted. Make it nullable.'],
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
      says: ['Thread.comments is declared @bucketed, and Thread is not a document type, so buckets have nothing to belong to.'],
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
}

# The gateway as an image. A first stage builds GraphiQL's page and the documentation, so that build dependencies stay out of the image.
# docs/operate.md explains how to run it.

FROM node:24-slim AS pages
WORKDIR /quire
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY web web
COPY src/site src/site
COPY docs docs
RUN npm run pages

FROM node:24-slim
WORKDIR /quire
COPY LICENSE package.json package-lock.json ./
# The only optional dependency is a Node, which the image already has.
RUN npm ci --omit=dev --omit=optional
COPY bin bin
COPY src src
COPY schema schema
COPY examples examples
COPY web/theme.css web/
COPY web/landing web/landing
COPY web/docs/docs.css web/docs/docs.js web/docs/
COPY --from=pages /quire/web/dist web/dist
# The only folder that Quire writes to.
RUN install -d -o node -g node /data

ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 QUIRE_STORE=sqlite:/data/library.db
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process, so that it receives SIGTERM.
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "bin/quire.js"]
CMD ["start"]

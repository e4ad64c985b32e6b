# Makes stats_regression.csv, against which src/stats/regression.c is tested: Rscript
# make_regression.R, in this folder. Debian: r-base-core r-cran-mass r-cran-survival
# r-cran-sandwich r-cran-lme4; the versions that ran are in the first line of the file.
options(warn = -1)
suppressMessages({library(MASS); library(survival); library(sandwich); library(lme4)})
set.seed(20221130)
out <- file("stats_regression.csv", "w")
writeLines(c(paste0("# ", R.version.string, "; MASS ", packageVersion("MASS"), "; survival ",
                    packageVersion("survival"), "; sandwich ", packageVersion("sandwich"),
                    "; lme4 ", packageVersion("lme4"), "; by make_regression.R"),
             "method,case,field,values"), out)
put <- function(method, case, ...) {
    fields <- list(...)
    for (name in names(fields))
        writeLines(paste(method, case, name,
                         paste(sprintf("%.17g", as.numeric(fields[[name]])), collapse = " "),
                         sep = ","), out)
}
# Columns first, the intercept last, as our terms are.
last <- function(v) c(v[-1], v[1])
vif <- function(x) if (ncol(x) > 1) diag(solve(cor(x))) else 1
area <- function(y, p) {
    r <- rank(p); n1 <- sum(y == 1); n0 <- sum(y == 0)
    (sum(r[y == 1]) - n1 * (n1 + 1) / 2) / (n1 * n0)
}
linear <- function(kind, case, x, y, cluster, fit, null) {
    se <- function(v) last(sqrt(diag(v)))
    k <- length(coef(fit))
    put(kind, case, x = t(x), y = y, width = ncol(x), cluster = cluster,
        estimate = last(coef(fit)), plain = se(vcov(fit)), robust = se(sandwich(fit)),
        clustered = se(vcovCL(fit, cluster = cluster)), vif = vif(x),
        log_likelihood = logLik(fit), null = logLik(null), aic = AIC(fit),
        dispersion = sum(residuals(fit, "pearson")^2) / (length(y) - k))
    if (kind == "logistic") put(kind, case, area = area(y, fitted(fit)))
    if (kind == "counts") put(kind, case, theta = if (is.null(fit$theta)) Inf else fit$theta)
}
tight <- glm.control(epsilon = 1e-14, maxit = 100)

cases <- list(
    two = function(n) cbind(rnorm(n), rbinom(n, 1, .4)),
    skewed = function(n) cbind(rlnorm(n, 5, 2), rnorm(n, 2000, 3), rbinom(n, 1, .1)),
    related = function(n) { a <- rnorm(n); cbind(a, a + rnorm(n) / 3, rexp(n)) },
    one = function(n) cbind(runif(n)))
for (case in names(cases)) {
    n <- 120
    x <- cases[[case]](n); colnames(x) <- paste0("x", seq_len(ncol(x)))
    cluster <- sample(14, n, TRUE)
    eta <- as.numeric(scale(x) %*% seq(.8, -.5, length.out = ncol(x))) + rnorm(14)[cluster] / 2
    y <- rbinom(n, 1, plogis(eta - .3))
    linear("logistic", case, x, y, cluster, glm(y ~ x, binomial, control = tight),
           glm(y ~ 1, binomial, control = tight))
    y <- rnegbin(n, exp(eta + 2), 1.3)
    linear("counts", case, x, y, cluster,
           glm.nb(y ~ x, control = glm.control(epsilon = 1e-14, maxit = 200)),
           glm.nb(y ~ 1, control = glm.control(epsilon = 1e-14, maxit = 200)))
    # Waits in whole days: many ties.
    time <- ceiling(rexp(n, exp(eta) / 20)); until <- ceiling(runif(n, 1, 60))
    happened <- time <= until; time <- pmin(time, until)
    cox <- function(...) coxph(Surv(time, happened) ~ x, ties = "efron",
        control = coxph.control(eps = 1e-13, toler.chol = 1e-14, iter.max = 50), ...)
    fit <- cox()
    zph <- cox.zph(fit, transform = "km", terms = FALSE)$table
    put("cox", case, x = t(x), y = time, happened = happened, width = ncol(x), cluster = cluster,
        estimate = coef(fit), plain = sqrt(diag(vcov(fit))),
        robust = sqrt(diag(vcov(cox(robust = TRUE)))),
        clustered = sqrt(diag(vcov(cox(cluster = cluster)))), vif = vif(x),
        log_likelihood = fit$loglik[2], null = fit$loglik[1],
        hazards = zph[seq_len(ncol(x)), "p"], hazards_all = zph[nrow(zph), "p"])
}
# Counts that are hardly or not more spread out than Poisson's.
x <- cbind(a = rnorm(100), b = runif(100)); y <- round(exp(1 + .3 * x[, 1]))
linear("counts", "poisson", x, y, rep(1:10, 10), glm(y ~ x, poisson, control = tight),
       glm(y ~ 1, poisson, control = tight))
# Large counts, as views are.
y <- rnegbin(100, exp(12 + .5 * x[, 1]), .6)
linear("counts", "views", x, y, rep(1:10, 10),
       glm.nb(y ~ x, control = glm.control(epsilon = 1e-14, maxit = 200)),
       glm.nb(y ~ 1, control = glm.control(epsilon = 1e-14, maxit = 200)))

# Random intercepts by quadrature.
for (case in c("large", "small", "many")) {
    n <- 300; groups <- if (case == "many") 60 else 12
    cluster <- sample(groups, n, TRUE); cluster <- as.integer(factor(cluster))
    x <- cbind(a = rnorm(n), b = rbinom(n, 1, .3) + cluster %% 2 / 2)
    sd <- if (case == "small") .3 else 1.5
    y <- rbinom(n, 1, plogis(.4 + .7 * x[, 1] - .9 * x[, 2] + sd * rnorm(groups)[cluster]))
    data <- data.frame(y, a = x[, 1], b = x[, 2], cluster)
    fit <- glmer(y ~ a + b + (1 | cluster), data, binomial, nAGQ = 25,
                 control = glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13,
                                        optCtrl = list(rhoend = 1e-10, maxfun = 1e6)))
    # The likelihood of glmer with quadrature lacks a constant; ours by integrate().
    b <- fixef(fit); s <- sqrt(VarCorr(fit)$cluster[1])
    whole <- sum(sapply(split(data, data$cluster), function(d) {
        eta <- b[1] + b[2] * d$a + b[3] * d$b
        log(integrate(Vectorize(function(u) exp(sum(dbinom(d$y, 1, plogis(eta + s * u), log = TRUE))) *
            dnorm(u)), -12, 12, rel.tol = 1e-12, subdivisions = 2000)$value)
    }))
    put("random", case, x = t(x), y = y, width = 2, cluster = cluster, estimate = last(b),
        error = last(sqrt(diag(as.matrix(vcov(fit))))), deviation = s, log_likelihood = whole)
}

# The same of counts. Poisson's by glmer; negative binomial's by a likelihood of our own, integrated on
# a grid and climbed by Newton's steps on differences, as glmer.nb takes theta for known when
# it tells errors; its estimates, by Laplace, are beside it.
for (case in c("poisson", "large", "small", "views")) {
    n <- 300; groups <- if (case == "large") 40 else 15
    cluster <- as.integer(factor(sample(groups, n, TRUE)))
    x <- cbind(a = rnorm(n), b = rbinom(n, 1, .3) + cluster %% 2 / 2)
    sd <- if (case == "small") .25 else .8
    eta <- (if (case == "views") 9 else 1) + .5 * x[, 1] - .6 * x[, 2] + sd * rnorm(groups)[cluster]
    y <- if (case == "poisson") rpois(n, exp(eta)) else rnegbin(n, exp(eta), 1.4)
    data <- data.frame(y, a = x[, 1], b = x[, 2], cluster)
    grid <- seq(-8, 8, by = .04)
    of <- split(seq_len(n), cluster)
    whole <- function(at) { # coefficients (intercept first), log deviation, log theta
        eta <- at[1] + at[2] * data$a + at[3] * data$b; s <- exp(at[4])
        sum(sapply(of, function(i) {
            each <- outer(eta[i], s * grid, "+")
            logs <- (if (case == "poisson") colSums(matrix(dpois(y[i], exp(each), log = TRUE), length(i)))
                     else colSums(matrix(dnbinom(y[i], exp(at[5]), mu = exp(each), log = TRUE), length(i)))) +
                dnorm(grid, log = TRUE)
            top <- max(logs); top + log(sum(exp(logs - top)) * .04)
        }))
    }
    if (case == "poisson") {
        fit <- glmer(y ~ a + b + (1 | cluster), data, poisson, nAGQ = 25,
                     control = glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13,
                                            optCtrl = list(rhoend = 1e-10, maxfun = 1e6)))
        b <- fixef(fit); s <- sqrt(VarCorr(fit)$cluster[1]); theta <- Inf
        error <- last(sqrt(diag(as.matrix(vcov(fit))))); top <- whole(c(b, log(s))); laplace <- b
    } else {
        near <- glmer.nb(y ~ a + b + (1 | cluster), data)
        at <- c(fixef(near), log(sqrt(VarCorr(near)$cluster[1])), log(getME(near, "glmer.nb.theta")))
        slopes <- function(at, h) sapply(seq_along(at), function(j) {
            e <- replace(numeric(length(at)), j, h)
            (8 * (whole(at + e) - whole(at - e)) - (whole(at + 2 * e) - whole(at - 2 * e))) / (12 * h) })
        curve <- function(at, h) { m <- sapply(seq_along(at), function(j) {
            e <- replace(numeric(length(at)), j, h)
            (8 * (slopes(at + e, h) - slopes(at - e, h)) - (slopes(at + 2 * e, h) - slopes(at - 2 * e, h))) /
                (12 * h) }); -(m + t(m)) / 2 }
        for (round in 1:3) at <- at + solve(curve(at, 2e-3), slopes(at, 1e-3))
        b <- at[1:3]; s <- exp(at[4]); theta <- exp(at[5]); top <- whole(at)
        error <- last(sqrt(diag(solve(curve(at, 2e-3))))[1:3]); laplace <- fixef(near)
    }
    put("random_counts", case, x = t(x), y = y, width = 2, cluster = cluster, estimate = last(b),
        error = error, deviation = s, theta = theta, log_likelihood = top, laplace = last(laplace))
}

# Wald's tests of all columns of a group, and of all columns, by each kind of errors; "few"
# has fewer clusters than columns, whose covariance is singular.
for (case in c("logistic", "counts", "cox", "few")) {
    n <- 150
    method <- paste0("grouped_", if (case == "few") "logistic" else case)
    kinds <- sample(4, n, TRUE)
    x <- cbind(outer(kinds, 2:4, "==") + 0, rnorm(n), rbinom(n, 1, .4)); colnames(x) <- paste0("x", 1:5)
    cluster <- if (case == "few") rep(1:3, 50) else rep(1:12, length.out = n)
    eta <- as.numeric(x %*% c(.5, -.4, .2, .3, 0)) + rnorm(12)[cluster] / 2
    if (case == "cox") {
        time <- rexp(n, exp(eta) / 20); until <- runif(n, 1, 60)
        y <- pmin(time, until); happened <- time <= until
        fit <- coxph(Surv(y, happened) ~ x, control = coxph.control(eps = 1e-13))
        b <- coef(fit)
        all <- list(plain = vcov(fit),
                    robust = vcov(update(fit, robust = TRUE)),
                    clustered = vcov(coxph(Surv(y, happened) ~ x, cluster = cluster,
                                           control = coxph.control(eps = 1e-13))))
        put(method, case, happened = happened)
    } else {
        y <- if (case == "counts") rnegbin(n, exp(eta + 2), 1.3) else rbinom(n, 1, plogis(eta))
        fit <- if (case == "counts") glm.nb(y ~ x, control = glm.control(epsilon = 1e-14, maxit = 200))
               else glm(y ~ x, binomial, control = tight)
        b <- coef(fit)[-1]
        all <- lapply(list(plain = vcov(fit), robust = sandwich(fit),
                           clustered = vcovCL(fit, cluster = cluster)), function(v) v[-1, -1])
    }
    wald <- function(v, j)
        if (rcond(v[j, j]) < 1e-14) NaN else as.numeric(b[j] %*% solve(v[j, j], b[j]))
    put(method, case, x = t(x), y = y, width = 5, cluster = cluster, group = c(0, 0, 0, 1, 2))
    for (errors in names(all)) {
        v <- all[[errors]]
        values <- c(wald(v, 1:3), pchisq(wald(v, 1:3), 3, lower.tail = FALSE),
                    wald(v, 1:5), pchisq(wald(v, 1:5), 5, lower.tail = FALSE))
        do.call(put, c(list(method, case), setNames(list(values), errors)))
    }
}
close(out)

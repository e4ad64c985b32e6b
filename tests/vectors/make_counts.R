# Makes stats_counts.csv: negative binomial regressions with counts that are far from all
# others, where glm.nb() of MASS ends without an answer. Rscript make_counts.R, in this
# folder; r-base-core alone. The maximum is found by optim() over coefficients and the
# logarithm of theta together, from several places, and made exact by Newton's steps on the
# slopes; errors are from the expected information, as glm.nb tells them, and by the
# sandwich written out.
options(warn = -1)
set.seed(20230517)
out <- file("stats_counts.csv", "w")
writeLines(c(paste0("# ", R.version.string, "; by make_counts.R"), "method,case,field,values"), out)
put <- function(case, ...) {
    fields <- list(...)
    for (name in names(fields))
        writeLines(paste("counts", case, name,
                         paste(sprintf("%.17g", as.numeric(fields[[name]])), collapse = " "),
                         sep = ","), out)
}
last <- function(v) c(v[-1], v[1])
top_of <- function(x, y) {
    columns <- cbind(1, x); k <- ncol(columns)
    height <- function(at) sum(dnbinom(y, exp(at[k + 1]), mu = exp(columns %*% at[1:k]), log = TRUE))
    slopes <- function(at) {
        mu <- as.numeric(exp(columns %*% at[1:k])); theta <- exp(at[k + 1])
        c(colSums(columns * ((y - mu) / (1 + mu / theta))),
          theta * sum(digamma(y + theta) - digamma(theta) - log1p(mu / theta) + 1 - (y + theta) / (mu + theta)))
    }
    best <- NULL
    for (log_theta in c(-4, -2, 0, 2)) for (level in c(log(mean(y)), log(median(y) + 1))) {
        try({
            one <- optim(c(level, rep(0, k - 1), log_theta), function(a) -height(a), function(a) -slopes(a),
                         method = "BFGS", control = list(maxit = 5000, reltol = 1e-15,
                                                         parscale = c(1, 1 / apply(columns, 2, sd)[-1], 1)))
            if (is.null(best) || one$value < best$value) best <- one
        }, silent = TRUE)
    }
    at <- best$par
    for (round in 1:6) { # Newton, by differences of the slopes
        curve <- sapply(seq_along(at), function(j) {
            h <- 1e-5 * max(1e-3, abs(at[j])); e <- replace(numeric(k + 1), j, h)
            (8 * (slopes(at + e) - slopes(at - e)) - slopes(at + 2 * e) + slopes(at - 2 * e)) / (12 * h) })
        at <- at - solve((curve + t(curve)) / 2, slopes(at))
    }
    stopifnot(height(at) >= -best$value - 1e-9, max(abs(slopes(at) / c(1, apply(abs(columns), 2, max)[-1], 1))) < 1e-6)
    list(at = at, height = height(at))
}
put_case <- function(case, x, y, cluster) {
    x <- as.matrix(x); k <- ncol(x) + 1; n <- length(y); columns <- cbind(1, x)
    found <- top_of(x, y); at <- found$at; theta <- exp(at[k + 1])
    mu <- as.numeric(exp(columns %*% at[1:k]))
    bread <- solve(crossprod(columns, columns * mu / (1 + mu / theta)))
    scores <- columns * ((y - mu) / (1 + mu / theta))
    groups <- length(unique(cluster)); sums <- rowsum(scores, cluster)
    se <- function(meat) last(sqrt(diag(bread %*% meat %*% bread)))
    null <- top_of(matrix(0, n, 0), y)
    put(case, x = t(x), y = y, width = ncol(x), cluster = cluster, estimate = last(at[1:k]),
        plain = last(sqrt(diag(bread))), robust = se(crossprod(scores)),
        clustered = se(crossprod(sums) * groups / (groups - 1)),
        vif = if (ncol(x) > 1) diag(solve(cor(x))) else 1,
        log_likelihood = found$height, null = null$height, aic = -2 * found$height + 2 * (k + 1),
        dispersion = sum((y - mu)^2 / (mu + mu^2 / theta)) / (n - k), theta = theta)
}
n <- 150; cluster <- rep(1:10, 15); i <- seq_len(n)
x <- cbind((i * 31) %% 17 - 3, rbinom(n, 1, .3))
ordinary <- (i * 7919) %% 97 * (1 + i %% 3)
put_case("one", x, replace(ordinary, 77, 3e9), cluster)
put_case("one_small", x[, 1, drop = FALSE], replace(rpois(n, 2), 5, 3e9), cluster)
put_case("one_of_zeros", x, replace(rbinom(n, 1, .2), 40, 1e12), cluster)
put_case("three", x, replace(ordinary, c(3, 60, 120), c(2e9, 5e7, 8e10)), cluster)
put_case("far_column", cbind(replace(rnorm(n), 9, 60), x[, 2]), replace(rnbinom(n, 2, mu = 20), 9, 1e9), cluster)
put_case("wide", x, round(rlnorm(n, 5, 6)), cluster)
close(out)
